import { ARTICLE_PICTURES, MAX_ARTICLE_PICTURES, uploadArticlePicture } from '@officium/contract/article-pictures';
import { addressOf } from '@officium/contract/client';
import { createArticle, deleteArticle, previewArticle, readArticle, updateArticle } from '@officium/contract/content';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { newId } from '#server/db/client.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { type As, createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const { db, files } = test.ctx;
const author = await makePerson(test, { name: 'Ada' });
const other = await makePerson(test);
const administrator = await makePerson(test, { role: 'administrator' });
const learner = await makePerson(test, { role: 'non-public-servant' });

const upload = async (as: As, picture?: Buffer) => {
  const { headers, payload } = picture ? fileForm('a.png', picture) : await pictureForm();
  return await test.send('POST', addressOf(uploadArticlePicture, {}), { as, headers, body: payload });
};
const uploaded = async (person: TestPerson = author) => {
  const { status, body } = await upload(person.as);
  expect(status).toBe(201);
  return uploadArticlePicture.replies[201].parse(body);
};
const get = async (url: string, as: As = {}) => {
  const headers = as.token ? { cookie: `session=${as.token}` } : {};
  return await test.app.inject({ method: 'GET', url, headers });
};
const seenBy = async (url: string, ...people: (TestPerson | undefined)[]) =>
  await Promise.all(people.map(async (person) => (await get(url, person?.as)).statusCode));

const text = { title: 'Letters that people read', subtitle: 'What changed at the counter', body: 'We wrote letters.' };
const cover = (url: string) => ({
  url,
  width: 1,
  height: 1,
  authorName: 'Ada',
  authorLink: 'https://example.gov/',
  description: 'A letter',
});
const publish = async (given: object, as = author.as) =>
  await test.call(createArticle, as, { body: { ...text, ...given } });
const edit = async (slug: string, given: object, as = author.as) =>
  await test.call(updateArticle, as, { params: { slug }, body: { ...text, ...given } });
const read = async (slug: string) => (await test.call(readArticle, {}, { params: { slug } })).body;
const keyOf = async (id: string) =>
  (await db.selectFrom('article_pictures').select('key').where('id', '=', id).executeTakeFirst())?.key;

describe('uploadArticlePicture', () => {
  it('converts the picture, tells its size and colour, and shows it to its uploader only', async () => {
    const wide = await sharp({ create: { width: 4000, height: 200, channels: 3, background: '#336699' } })
      .withExif({ IFD0: { Copyright: 'A secret place' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload(author.as, wide);
    expect(body).toMatchObject({
      width: 2000,
      height: 100,
      color: expect.stringMatching(/^#3[0-9a-f]6[0-9a-f]9[0-9a-f]$/),
    });
    const served = await get(body.url, author.as);
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    expect((await sharp(served.rawPayload).metadata()).exif).toBeUndefined();
    expect(await seenBy(body.url, other, administrator, undefined)).toEqual([404, 404, 404]);
  });

  it.each([
    ['a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page behind the head of a picture', Buffer.from('GIF89a<!doctype html><script>alert(1)</script>')],
    ['an empty file', Buffer.alloc(0)],
    ['more than 5 MiB', Buffer.alloc(5 * 1024 * 1024 + 1, 1)],
  ])('refuses %s', async (_, content) => {
    const refused = await upload(author.as, content);
    expect([refused.status, refused.body.code]).toEqual([400, 'assets.bad_image']);
  });

  it('is for public servants, and for authors who were', async () => {
    expect((await upload({})).status).toBe(401);
    expect((await upload(learner.as)).status).toBe(403);
    const former = await makePerson(test);
    await publish({}, former.as);
    await db.updateTable('users').set({ role: 'non-public-servant' }).where('id', '=', former.id).execute();
    await test.forgetSessions(former.id);
    expect((await upload(former.as)).status).toBe(201);
    const bare = await test.send('POST', addressOf(uploadArticlePicture, {}), { as: author.as, body: {} });
    expect([bare.status, bare.body.code]).toEqual([400, 'assets.bad_image']);
  });

  it('checks rights before the content is read', async () => {
    const { headers, payload } = await pictureForm();
    const cutOff = { headers, body: payload.subarray(0, -30) };
    const url = addressOf(uploadArticlePicture, {});
    expect((await test.send('POST', url, { as: learner.as, ...cutOff })).status).toBe(403);
    expect((await test.send('POST', url, { as: author.as, ...cutOff })).status).toBe(400);
  });

  itInProcess('counts unreadable pictures against the rate limit', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const person = await makePerson(limited);
    const { headers, payload } = await pictureForm();
    const sendCutOff = async () =>
      await limited.send('POST', addressOf(uploadArticlePicture, {}), {
        as: person.as,
        headers,
        body: payload.subarray(0, -30),
      });
    await takeLimit(limited.ctx, `article-picture:${person.id}`, { max: 60, windowSeconds: 3600 }, 59);
    expect([(await sendCutOff()).status, (await sendCutOff()).status]).toEqual([400, 429]);
  });

  itInProcess.each([
    ['MEDIA_MB_A_PERSON', 'content.quota_reached'],
    ['MEDIA_MB_TOTAL', 'content.storage_full'],
  ])('counts in the space that %s limits', async (setting, code) => {
    const small = await createTestApp({ [setting]: '1' });
    const person = await makePerson(small);
    await sql`insert into stored_files (key, bytes, user_id) values ('a', 1048576, ${person.id})`.execute(small.ctx.db);
    const { headers, payload } = await pictureForm();
    const url = addressOf(uploadArticlePicture, {});
    const refused = await small.send('POST', url, { as: person.as, headers, body: payload });
    expect([refused.status, refused.body.code]).toEqual([413, code]);
  });
});

describe('a picture in an article', () => {
  it('is the cover, with the size and colour of its file, for everybody', async () => {
    const { url, width, height, color } = await uploaded();
    const { status, body } = await publish({ coverImage: { ...cover(url), color: '#000000' } });
    expect(status).toBe(201);
    expect((await read(body.slug)).coverImage).toMatchObject({ url, width, height, color, description: 'A letter' });
    expect(await seenBy(url, undefined, other, learner)).toEqual([200, 200, 200]);
    await edit(body.slug, { coverImage: null });
    expect(await seenBy(url, undefined, other, author)).toEqual([404, 404, 200]);
  });

  it('stands in the body, in previews too', async () => {
    const { url, width, height } = await uploaded();
    const body = `A plan: ![Our plan](${url})`;
    const html = `<img src="${url}" alt="Our plan" width="${width}" height="${height}" loading="lazy">`;
    expect((await test.call(previewArticle, author.as, { body: { body } })).body.html).toContain(html);
    expect((await test.call(previewArticle, other.as, { body: { body } })).body.html).not.toContain('<img');
    const { slug } = (await publish({ body })).body;
    expect((await read(slug)).html).toContain(html);
    expect(await seenBy(url, undefined, other)).toEqual([200, 200]);
  });

  it('of somebody else, of another article or of none is refused as a cover, and left out of the body', async () => {
    const theirs = (await uploaded(other)).url;
    const placed = (await uploaded()).url;
    await publish({ coverImage: cover(placed) });
    for (const url of [theirs, placed, `${ARTICLE_PICTURES}${newId()}`]) {
      const refused = await publish({ coverImage: cover(url) });
      expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, 'coverImage.url']);
      const { slug } = (await publish({ body: `A plan: ![Their plan](${url})` })).body;
      expect((await read(slug)).html).toBe('<p id="p-1">A plan: Their plan</p>\n');
    }
    expect(await seenBy(theirs, author, undefined)).toEqual([404, 404]);
    for (const url of [`${ARTICLE_PICTURES}x`, `${ARTICLE_PICTURES}../x`, '/etc/passwd'])
      expect((await publish({ coverImage: cover(url) })).status).toBe(400);
  });

  it('goes with its article, and returns with it', async () => {
    const { url } = await uploaded();
    const { slug } = (await publish({ coverImage: cover(url) })).body;
    await test.call(deleteArticle, author.as, { params: { slug } });
    expect(await seenBy(url, undefined, other, administrator, author)).toEqual([404, 404, 404, 200]);
    await sql`update articles set withdrawn_by = ${administrator.id} where slug = ${slug}`.execute(db);
    expect(await seenBy(url, undefined, administrator, author)).toEqual([404, 404, 404]);
    await sql`update articles set withdrawn_by = null, withdrawn_at = null where slug = ${slug}`.execute(db);
    expect(await seenBy(url, undefined)).toEqual([200]);
  });

  it('is one of thirty at most', async () => {
    const many = Array.from({ length: MAX_ARTICLE_PICTURES + 1 }, () => `![A](${ARTICLE_PICTURES}${newId()})`);
    const refused = await publish({ body: many.join('\n') });
    expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, 'body']);
  });
});

it('pictures without an article are swept after a week, and those of articles stay', async () => {
  const [kept, unsent, fresh] = [await uploaded(), await uploaded(), await uploaded()];
  await publish({ coverImage: cover(kept.url) });
  const keys = { kept: await keyOf(kept.id), unsent: await keyOf(unsent.id), fresh: await keyOf(fresh.id) };
  await sql`update article_pictures set created_at = now() - interval '8 days' where id <> ${fresh.id}`.execute(db);
  await sql`update stored_files set stored_at = now() - interval '8 days'`.execute(db);
  await sweepJob.run(test.ctx, {});
  await sweepJob.run(test.ctx, {});
  const isStored = async (key: string | undefined) => await files.exists(`content-assets/${key}`);
  expect([await isStored(keys.kept), await isStored(keys.unsent), await isStored(keys.fresh)]).toEqual([
    true,
    false,
    true,
  ]);
});
