/** The number that a `select count(*) as count` gives. */
export async function count(rows: Promise<object[]>): Promise<number> {
  const [row] = (await rows) as { count: number }[];
  return row?.count ?? 0;
}
