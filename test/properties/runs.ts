/** How a property is tried: few runs in every test run, more where `PROPERTY_RUNS` says so. */
export const runs = (few: number): { readonly numRuns: number; readonly endOnFailure: boolean } => {
  const wanted = Number(process.env.PROPERTY_RUNS ?? few);
  return { numRuns: wanted, endOnFailure: wanted <= few };
};
