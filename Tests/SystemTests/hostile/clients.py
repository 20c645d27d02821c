# SPDX-License-Identifier: Apache-2.0
"""Hostile clients: broken, slow, greedy. Runs as a student, who may do next to nothing.

usage: clients.py SOCKET SEED
Prints how many hostile inputs there were.
"""
import json, os, random, signal, socket, sys, threading, time

path, rnd = sys.argv[1], random.Random(int(sys.argv[2]))
count = 0


def connect():
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(5)
    client.connect(path)
    return client


def send(data, answers=False):
    """One hostile message; whatever the server does about it, it must go on."""
    global count
    count += 1
    client = connect()
    try:
        client.sendall(data)
        if answers:
            client.settimeout(0.05)
            client.recv(4096)
    except OSError:
        pass
    client.close()


for number in range(60):
    send(rnd.randbytes(rnd.choice([1, 10, 1000, 70000])) + rnd.choice([b"", b"\0"]))

call = '{"method":"org.daybook.%s","parameters":%s}'
odd = [
    "", "[", "{", "{}", "[]", "null", "1", '"', '{"method":1}', '{"method":""}', '{"method":"."}', '{"method":"a.b.c"}',
    '{"method":"org.daybook.Reports."}', '{"method":"org.varlink.service.GetInfo","method":"org.daybook.Reports.Status"}',
    '{"method":"org.varlink.service.GetInfo","oneway":true,"more":true}', '{"method":"org.varlink.service.GetInfo","upgrade":true}',
    '{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\\ud800"}}',
    call % ("Reports.Status", "[]"), call % ("Reports.Status", "null"), call % ("Journal.Tail", '{"after":-1}'),
    call % ("Journal.Tail", '{"after":18446744073709551615}'), call % ("Journal.Tail", '{"after":9223372036854775807}'),
    call % ("Journal.Tail", '{"count":1e308}'), call % ("Reports.Sessions", '{"since":"9999999999-99-99T99:99:99Z"}'),
    call % ("Reports.Sessions", '{"since":"0000-00-00T00:00:00Z"}'), call % ("Reports.Sessions", '{"since":"2026-01-01T00:00:00+99:99"}'),
    call % ("Reports.Sessions", '{"document":"\\\\xff"}'), call % ("Reports.Show", '{"person":"%s"}' % ("A" * 200_000)),
    call % ("Reports.Show", '{"person":"\\u001b[31m\\n\\u202e"}'), call % ("Reports.Show", '{"person":"99999999999999999999"}'),
    call % ("Reports.Report", '{"assignment":""}'), "[" * 100_000, '{"a":' * 40_000,
    '{"method":"org.varlink.service.GetInfo","parameters":{"x":%s%s}}' % ("[" * 60_000, "]" * 60_000),
]
for text in odd:
    send(text.encode() + b"\0", answers=True)

valid = [
    call % ("Journal.Tail", '{"after":3,"count":10,"kinds":["evidence"],"follow":false,"names":true}'),
    call % ("Reports.Show", '{"person":"berg","assignment":"Hamlet essay"}'), call % ("Reports.Sessions", '{"person":"berg"}'),
]
for number in range(120):
    data = bytearray(rnd.choice(valid).encode())
    for _ in range(rnd.randint(1, 4)):
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
    if number % 3 == 0:
        del data[rnd.randrange(len(data)) :]
    send(bytes(data) + b"\0", answers=True)


def crowd(number, data=b""):
    global count
    count += 1
    clients = []
    for _ in range(number):
        try:
            client = connect()
            client.setblocking(False)
            clients.append(client)
            client.send(data)
        except OSError:
            pass
    return clients


def leave(clients):
    for client in clients:
        client.close()


# Everybody's place taken, then half messages, then requests whose answers are never read.
leave(crowd(600))
time.sleep(0.2)
leave(crowd(60, b'{"method":"org.daybook.' * 4000))
time.sleep(0.2)
for method in ["org.daybook.Reports.Me", "org.daybook.Reports.Sessions", "org.varlink.service.GetInterfaceDescription"]:
    request = json.dumps({"method": method, "parameters": {"interface": "org.daybook.Reports"} if "service" in method else {}}).encode()
    clients = crowd(20, (request + b"\0") * 500)
    time.sleep(1)
    leave(clients)

# Ten thousand calls without waiting for an answer: all are answered. What waits for clients of this person that have just left still counts
# until the server has seen them leave; so it may take another try.
def pipelined(calls):
    """How many answers came before the connection ended."""
    client = connect()
    client.settimeout(60)

    def send_all():
        try:
            client.sendall(b'{"method":"org.varlink.service.GetInfo"}\0' * calls)
        except OSError:
            pass  # the other end shows in the answers

    sender = threading.Thread(target=send_all)
    sender.start()
    answers = 0
    try:
        while answers < calls:
            data = client.recv(1 << 16)
            if not data:
                break
            answers += data.count(b"\0")
    except ConnectionResetError:
        pass
    sender.join()
    client.close()
    return answers


count += 1
answers = []
while 10_000 not in answers and len(answers) < 20:
    answers.append(pipelined(10_000))
assert 10_000 in answers, f"cut off each time, after {answers} answers"

# Killed amid a call.
for number in range(10):
    count += 1
    child = os.fork()
    if child == 0:
        client = connect()
        client.sendall(b'{"method":"org.daybook.Reports.Sessions","more":true}\0' * 50)
        signal.pause()
    time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

# As fast as one can, in and out.
count += 1
end = time.monotonic() + 2
while time.monotonic() < end:
    try:
        connect().close()
    except OSError:
        pass
print(count)
