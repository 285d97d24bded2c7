/** Returns the key of an issue's stream. */
export const issueKey = (repositoryId: number, number: number): string => `${repositoryId}-${number}`;

/** Parses the key of an issue's stream. */
export function issueOf(key: string): { repository_id: number; number: number } {
  const [repository, number] = key.split('-');
  return { repository_id: Number(repository), number: Number(number) };
}
