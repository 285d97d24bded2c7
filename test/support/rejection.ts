/** What a promise rejects with; throws where it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof Error) return error;
  throw new Error('it should have failed');
}
