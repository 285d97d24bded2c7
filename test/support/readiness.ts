import type { ReadinessReport } from '../../src/http/system/readiness.js';

/** What an api says at `/readyz`. */
export interface Readiness {
  readonly status: number;
  readonly report: ReadinessReport;
}

/** What the api at this address says of itself and of its parts now. */
export async function readiness(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, report: (await response.json()) as ReadinessReport };
}

/** What it says once that is so: each part has some seconds to answer. */
export async function readinessOnce(url: string, isSo: (said: Readiness) => boolean): Promise<Readiness> {
  let said = await readiness(url);
  while (!isSo(said)) said = await readiness(url);
  return said;
}

/** Whether it says anything of projections, which it does not where they are not known in time. */
export const tellsOfProjections = ({ report }: Readiness): boolean =>
  Object.keys(report.projections).length > 0;
