/** What the stream of an issue is named by. */
export const issueKey = (repositoryId: number, number: number): string => `${repositoryId}-${number}`;

/** The issue that the key of a stream names. */
export function issueOf(key: string): { repository_id: number; number: number } {
  const [repository, number] = key.split('-');
  return { repository_id: Number(repository), number: Number(number) };
}
