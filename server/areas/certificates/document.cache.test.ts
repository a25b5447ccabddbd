import { expect, it } from 'vitest';
import { keepDocuments } from './document.cache.ts';

function scene(maxBytes: number) {
  const documents = keepDocuments(maxBytes);
  const rendered: string[] = [];
  const get = async (key: string, bytes = 3) =>
    await documents(key, async () => {
      rendered.push(key);
      return Buffer.alloc(bytes);
    });
  return { documents, rendered, get };
}

it('keeps the most recently used documents up to a size', async () => {
  const { rendered, get } = scene(10);
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd', 'b']) await get(key);
  expect(rendered).toEqual(['a', 'b', 'c', 'd', 'b']);
});

it('drops several small documents for a large one, and does not keep one above the size', async () => {
  const { rendered, get } = scene(10);
  for (const key of ['a', 'b', 'c']) await get(key);
  await get('large', 7);
  await get('c');
  await get('b');
  expect(rendered).toEqual(['a', 'b', 'c', 'large', 'b']);
  await get('huge', 11);
  await get('huge', 11);
  expect(rendered.slice(5)).toEqual(['huge', 'huge']);
});

it('renders a document once for concurrent requests, and again after a failure', async () => {
  const { documents, rendered, get } = scene(10);
  await Promise.all([get('a'), get('a'), get('a')]);
  expect(rendered).toEqual(['a']);
  const failing = async () => await documents('b', async () => await Promise.reject(new Error('no font')));
  await expect(failing()).rejects.toThrow('no font');
  expect(await get('b')).toHaveLength(3);
});
