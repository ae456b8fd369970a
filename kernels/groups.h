// groups.h -- columns of a matrix that share no row, which differences move together.
//
// Curtis, Powell and Reid 1974. In a band those are columns that stand far enough apart; a whole matrix has a group for
// each column.
//
//   EACH_OF_GROUP(group, j)  the columns of a group
//   EACH_OF_COLUMN(j, i)     the rows of column j that have entries

#ifdef BAND_ABOVE
#define GROUPS (REACH + 1)
#define EACH_OF_COLUMN(j, i) \
    UNROLL                   \
    for (int i = j > BAND_ABOVE ? j - BAND_ABOVE : 0; i < DOF && i <= j + BAND_BELOW; ++i)
#else
#define GROUPS DOF
#define EACH_OF_COLUMN(j, i) EACH_DOF(i)
#endif

#define EACH_OF_GROUP(group, j) \
    UNROLL                      \
    for (int j = group; j < DOF; j += GROUPS)
