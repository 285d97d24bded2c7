/** Returns the content in a buffer of its own. Node takes small buffers from a shared one, all of which a kept part keeps. */
export function unpooled(content: Buffer): Buffer {
  if (content.length === content.buffer.byteLength) return content;
  const own = Buffer.alloc(content.length);
  content.copy(own);
  return own;
}
