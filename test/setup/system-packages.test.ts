import { expect } from 'chai';
import { dataDir } from '../support/data-dir.js';
import { runProgram } from '../support/process.js';

describe('system packages', () => {
  it('are named in one command that works on a new machine, where nobody may install them', async () => {
    const empty = await dataDir();
    // No program is found there: neither apt-get nor a compiler.
    const program = runProgram('test/setup/install-process.js', [], { PATH: empty.path });
    await program.ended();
    await empty.remove();
    expect(program.output()).to.match(
      /^ {2}sudo apt-get update && sudo apt-get install -y .*python3 make g\+\+$/m,
    );
  });
});
