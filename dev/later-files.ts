/** The environment variable with the test files of a process after its first one. tap makes names of folders of the arguments. */
export const laterFiles = 'LATER_TEST_FILES';
