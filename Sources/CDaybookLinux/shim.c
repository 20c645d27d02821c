#include "CDaybookLinux.h"
