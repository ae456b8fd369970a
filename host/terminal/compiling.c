// compiling -- shows the notices of a kernel that compiles for long.
#include "terminal/compiling.h"

static void tell(const ProgressCompile *compile, void *user)
{
    Compiling *compiling = user;
    if (!compiling->line->stream)
        progress_line_begin(compiling->line, compiling->mode, stderr, 0, 0);
    progress_line_compile(compiling->line, compile);
}

bool compiling_start(Compiling *compiling, ProgressLine *line, ProgressMode mode, Error *err)
{
    *compiling = (Compiling){.notice = {.tell = tell, .user = compiling}, .line = line, .mode = mode};
    return notice_start(&compiling->notice, err);
}

void compiling_stop(Compiling *compiling)
{
    notice_stop(&compiling->notice);
}
