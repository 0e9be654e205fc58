#include "cli/commands.h"

int main(int argc, char** argv) { return fondue::run_program(argc, argv); }
