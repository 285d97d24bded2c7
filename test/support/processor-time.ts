/**
 * Milliseconds of processor time that this process takes until `work` is done. Unlike those of a clock, none of them
 * pass while others have the machine; what else this process does adds to them.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
