/** Settles as `work` does, or rejects with what `tooLate` makes after `ms` milliseconds; later rejections are ignored. */
export function within<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(tooLate());
    }, ms);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
