import { setFlagsFromString } from 'node:v8';

// A command of the engine passes through many small functions on 64-bit integers, which V8 keeps in
// registers only within what it compiles as one piece. Its own limit for a piece is half of this;
// with it the engine takes a tenth to a sixth longer for a command.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=1840');
