/** Does the work by a clock of this process that is so many ms ahead. */
export async function ahead(ms: number, work: () => Promise<void>): Promise<void> {
  const system = Date;
  globalThis.Date = class extends system {
    constructor(at: number | string | Date = system.now() + ms) {
      super(at);
    }
    static override now = () => system.now() + ms;
  } as DateConstructor;
  try {
    await work();
  } finally {
    globalThis.Date = system;
  }
}
