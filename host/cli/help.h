// help -- list of the commands by task.
#pragma once

#include "base/text.h"

void help_list(Text *text);
