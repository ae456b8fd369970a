// matrix.h -- how a matrix of DOF by DOF stands in memory: whole, or the band outside of which it is 0.
//
// Entry (i, j) of the derivatives of a problem with a band is 0 where j < i - BAND_BELOW or j > i + BAND_ABOVE. The
// prologue defines the two where the band is so narrow that it is cheaper (band.h).

#ifdef BAND_ABOVE
// Elimination exchanges rows, by which a row reaches BAND_BELOW columns farther. It goes past the last row, over 0.
#define ROWS (DOF + BAND_BELOW)
#define COLUMNS (2 * BAND_BELOW + BAND_ABOVE + 1)
#define ENTRY(A, i, j) A[i][(j) - (i) + BAND_BELOW]
#else
#define ROWS DOF
#define COLUMNS DOF
#define ENTRY(A, i, j) A[i][j]
#endif

#define MATRIX(A) real A[ROWS][COLUMNS]
#define EACH_COLUMN(j) \
    UNROLL             \
    for (int j = 0; j < COLUMNS; ++j)
