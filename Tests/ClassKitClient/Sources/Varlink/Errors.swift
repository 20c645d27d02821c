// SPDX-License-Identifier: Apache-2.0
import ClassKit
import Foundation

/// Every code and key of errors, and the ways in which apps take them apart.
public func useErrors() -> [String] {
    let codes: [CLSError.Code] = [
        .none, .classKitUnavailable, .invalidArgument, .invalidModification, .authorizationDenied, .databaseInaccessible, .limits,
        .invalidCreate,
        .invalidUpdate, .partialFailure, .invalidAccountCredentials,
    ]
    let statics: [CLSError.Code] = [
        CLSError.none, CLSError.classKitUnavailable, CLSError.invalidArgument, CLSError.invalidModification, CLSError.authorizationDenied,
        CLSError.databaseInaccessible, CLSError.limits, CLSError.invalidCreate, CLSError.invalidUpdate, CLSError.partialFailure,
        CLSError.invalidAccountCredentials,
    ]
    let key: CLSErrorUserInfoKey = .objectKey
    let keys: [String] = [
        key.rawValue, CLSErrorUserInfoKey.underlyingErrorsKey.rawValue, CLSErrorUserInfoKey.successfulObjectsKey.rawValue,
        CLSErrorUserInfoKey("own").rawValue, CLSErrorUserInfoKey(rawValue: "own").rawValue,
    ]
    let context = CLSContext(type: .quiz, identifier: "quiz", title: "")
    let error = CLSError(.limits, userInfo: [CLSErrorUserInfoKey.objectKey.rawValue: context])
    var caught: [String] = []
    do {
        throw error
    } catch CLSError.classKitUnavailable {
        caught.append("the wrong one")
    } catch let error as CLSError where error.code == .limits {
        caught.append("limits")
    } catch {
        caught.append("nothing")
    }
    do { throw error } catch CLSError.limits { caught.append("by its kind") } catch { caught.append("nothing") }
    let bridged = error as NSError
    let domain: String = CLSErrorCodeDomain
    let about = bridged.userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSContext
    return [
        "\(codes == statics)", "\(codes.map(\.rawValue))", "\(keys)", "\(caught)", "\(bridged.domain == domain)", "\(bridged.code)",
        "\(about === context)",
        "\(error.userInfo.count)", CLSError.errorDomain, "\(error.errorCode)", error.localizedDescription,
    ]
}
