/** A small buffer is a part of one that node shares between many: keeping it would keep all of those. */
export function unpooled(content: Buffer): Buffer {
  if (content.length === content.buffer.byteLength) return content;
  const own = Buffer.alloc(content.length);
  content.copy(own);
  return own;
}
