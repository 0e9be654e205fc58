# Installs Fondue below the build folder, builds the example outside the tree against it, runs it and checks what it
# prints. Called with -DBUILD=, -DEXAMPLE= and -DFLAGS= (compiler flags that the library needs, such as sanitizers).
set(prefix ${BUILD}/installed)
set(example ${BUILD}/example-pour)
file(REMOVE_RECURSE ${prefix} ${example})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command} failed (${code}):\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${example} -DCMAKE_PREFIX_PATH=${prefix} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${example})
run(${example}/pour)
message("${text}")
foreach(line "repeats bit for bit: yes" "branch differs: yes" "mass stays: yes")
  if(NOT text MATCHES "${line}")
    message(FATAL_ERROR "the example does not print '${line}'")
  endif()
endforeach()

# The installed program knows the installed scenes.
run(${prefix}/bin/fondue scenes)
if(NOT text MATCHES "${prefix}/share/fondue/scenes/dam-break.toml")
  message(FATAL_ERROR "the installed program lists other scenes:\n${text}")
endif()
