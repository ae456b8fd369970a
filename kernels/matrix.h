// matrix.h -- how a matrix of DOF by DOF stands in memory, whole or as a band, and the loops over what is in it.
//
// Entry (i, j) of the derivatives of a problem with a band is 0 where j < i - BAND_BELOW or j > i + BAND_ABOVE. The
// prologue defines the two where the band is so narrow that it is cheaper. Operations with entries that are 0 are left
// out, which changes no bit.
//
//   ENTRY(A, i, j)           where entry (i, j) stands; ON_DIAGONAL(i, column): whether (i, i) stands in that column
//   EACH_OF_ROW(i, j)        the columns of row i that have entries
//   EACH_BELOW(k, i)         the rows below row k that have entries in column k while that is eliminated
//   EACH_RIGHT(k, first, j)  the columns from `first` on that have entries in row k then
//   PADDED                   how many numbers a right side has

#ifdef BAND_ABOVE
// Elimination exchanges rows, by which a row reaches BAND_BELOW columns farther. It goes past the last row, over 0.
#define REACH (BAND_BELOW + BAND_ABOVE)  // of a row behind its pivot
#define ROWS (DOF + BAND_BELOW)
#define COLUMNS (BAND_BELOW + REACH + 1)
#define PADDED (DOF + REACH)
#define ENTRY(A, i, j) A[i][(j) - (i) + BAND_BELOW]
#define ON_DIAGONAL(i, column) ((column) == BAND_BELOW)
#if REACH <= 12
#define UNROLL_BAND _Pragma("unroll")
#else
#define UNROLL_BAND _Pragma("nounroll")
#endif
#define EACH_BELOW(k, i) UNROLL_BAND for (int i = k + 1; i <= k + BAND_BELOW; ++i)
#define EACH_RIGHT(k, first, j) UNROLL_BAND for (int j = first; j <= k + REACH; ++j)
#define EACH_OF_ROW(i, j) \
    UNROLL                \
    for (int j = i > BAND_BELOW ? i - BAND_BELOW : 0; j < DOF && j <= i + BAND_ABOVE; ++j)
#else
#define ROWS DOF
#define COLUMNS DOF
#define PADDED DOF
#define ENTRY(A, i, j) A[i][j]
#define ON_DIAGONAL(i, column) ((column) == (i))
#define EACH_BELOW(k, i) EACH_DOF_FROM(k + 1, i)
#define EACH_RIGHT(k, first, j) EACH_DOF_FROM(first, j)
#define EACH_OF_ROW(i, j) EACH_DOF(j)
#endif

#define MATRIX(A) real A[ROWS][COLUMNS]
#define EACH_COLUMN(j) \
    UNROLL             \
    for (int j = 0; j < COLUMNS; ++j)
