% read_result.m -- a result file in Octave: octave-cli read_result.m FILE.h5 GROUP METRIC
%
% Octave's dimensions are in the reverse order of the file's: the first axis of the sweep is the last here.
arguments = argv();
file = load("-hdf5", arguments{1});
group = file.(arguments{2});
values = double(group.(arguments{3}));
values(group.status != 1) = NaN;  % points that failed
printf("%s\n", mat2str(size(values)));
printf("%.17g\n", values(:));
