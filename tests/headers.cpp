// The target to which the precompiled headers of all tests belong (CMakeLists.txt).
