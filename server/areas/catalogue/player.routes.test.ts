import { describe, expect, it } from 'vitest';
import { createTestApp, itInProcess } from '#server/test/app.ts';

const test = await createTestApp();
const get = async (src: string, app = test) =>
  await app.app.inject({
    method: 'GET',
    url: `/player?title=${encodeURIComponent('"A" <b>')}&src=${encodeURIComponent(src)}`,
  });

describe('the player page', () => {
  it('frames the player, and only that site', async () => {
    const { statusCode, headers, body } = await get('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none';frame-src https:\/\/www\.youtube-nocookie\.com;style-src 'sha256-[^']+';frame-ancestors 'self'$/,
    );
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(body).toContain('src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="&quot;A&quot; &lt;b&gt;"');
    expect(body).not.toContain('<b>');
  });

  it('is 404 for everything else', async () => {
    for (const src of [
      'https://example.org/',
      'javascript:alert(1)',
      '',
      'https://video.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv',
    ])
      expect((await get(src)).statusCode).toBe(404);
    expect((await test.app.inject({ method: 'GET', url: '/player' })).statusCode).toBe(404);
    expect((await test.app.inject({ method: 'GET', url: '/player?src=a&src=b' })).statusCode).toBe(404);
  });

  itInProcess('shows PeerTube instances that the installation names', async () => {
    const allowing = await createTestApp({ EMBED_PEERTUBE_HOSTS: 'video.example.org, Other.example' });
    const { statusCode, headers } = await get('https://video.example.org/w/kkGMgK9ZtnKfYAgnEtQxbv', allowing);
    expect([statusCode, String(headers['content-security-policy'])]).toEqual([
      200,
      expect.stringContaining('frame-src https://video.example.org;'),
    ]);
    expect((await get('https://other.example/w/kkGMgK9ZtnKfYAgnEtQxbv', allowing)).statusCode).toBe(200);
  });
});
