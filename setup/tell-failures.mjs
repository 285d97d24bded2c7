// For mocha's `--require`: prints a failure as soon as it happens, because a run that is cut short has no summary.
export const mochaHooks = {
  afterEach() {
    const { currentTest } = this;
    if (currentTest?.state === 'failed')
      console.error(`\n✖ ${currentTest.fullTitle()}\n${currentTest.err?.stack}`);
  },
};
