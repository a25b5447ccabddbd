import { addressOf } from '@officium/contract/client';
import {
  createActivity,
  createActivityReaction,
  deleteActivity,
  deleteReaction,
  removeMember,
  updateActivity,
  updateReaction,
} from '@officium/contract/community';
import { POST_PICTURES, uploadPostPicture } from '@officium/contract/post-pictures';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sweepJob } from '#server/app/sweep.ts';
import { newId } from '#server/db/client.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { type As, createTestApp, itInProcess } from '#server/test/app.ts';
import { makePerson, type TestPerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { fileForm } from '#server/test/factories/media.ts';
import { pictureForm } from '#server/test/factories/pieces.ts';

const test = await createTestApp();
const { db, files } = test.ctx;

async function scene(given: Parameters<typeof makeCommunity>[1] = { privacy: 'closed-hidden' }) {
  const community = await makeCommunity(db, given);
  const params = { slug: community.slug };
  const memberOf = async (how: Parameters<typeof makeMember>[3] = {}) => {
    const person = await makePerson(test);
    await makeMember(db, community, person, how);
    return person;
  };
  const [owner, author, member] = [await memberOf({ role: 'owner' }), await memberOf(), await memberOf()];
  const upload = async (as: As, picture?: Buffer) => {
    const { headers, payload } = picture ? fileForm('a.png', picture) : await pictureForm();
    return await test.send('POST', addressOf(uploadPostPicture, { params }), { as, headers, body: payload });
  };
  const uploaded = async (person: TestPerson) => {
    const { status, body } = await upload(person.as);
    expect(status).toBe(201);
    return uploadPostPicture.replies[201].parse(body);
  };
  const post = async (person: TestPerson, ...urls: string[]) => {
    const body = { body: urls.map((url) => `![A square](${url})`).join('\n\n') };
    const posted = await test.call(createActivity, person.as, { params, body });
    expect(posted.status).toBe(201);
    return posted.body.id as string;
  };
  return { community, params, owner, author, member, upload, uploaded, post };
}

const get = async (url: string, as: As = {}) => {
  const headers = as.token ? { cookie: `session=${as.token}` } : {};
  return await test.app.inject({ method: 'GET', url, headers });
};
const seenBy = async (url: string, ...people: (TestPerson | undefined)[]) =>
  await Promise.all(people.map(async (person) => (await get(url, person?.as)).statusCode));
const rowsOf = async (id: string) =>
  await db.selectFrom('post_pictures').select(['key', 'object_id']).where('id', '=', id).execute();
const isStored = async (key: string | undefined) => await files.exists(`content-assets/${key}`);

describe('uploadPostPicture', () => {
  it('checks rights before the content is read', async () => {
    const { params, author } = await scene();
    const { headers, payload } = await pictureForm();
    const cutOff = { headers, body: payload.subarray(0, -30) };
    const url = addressOf(uploadPostPicture, { params });
    const stranger = await makePerson(test);
    expect((await test.send('POST', url, { as: stranger.as, ...cutOff })).status).toBe(404);
    const broken = await test.send('POST', url, { as: author.as, ...cutOff });
    expect([broken.status, broken.body.code]).toEqual([400, 'assets.bad_image']);
  });

  it('converts the picture and shows it to its uploader only', async () => {
    const { author, member, uploaded } = await scene();
    const { id, url, width, height } = await uploaded(author);
    expect({ url, width, height }).toEqual({ url: `${POST_PICTURES}${id}`, width: 60, height: 40 });
    const served = await get(url, author.as);
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=3600',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    expect(await seenBy(url, member, undefined)).toEqual([404, 404]);
  });

  it('removes metadata and limits the size', async () => {
    const { author, upload } = await scene();
    const large = await sharp({ create: { width: 3200, height: 200, channels: 3, background: '#336699' } })
      .withExif({ IFD0: { Copyright: 'A secret place' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload(author.as, large);
    expect(body).toMatchObject({ width: 1600, height: 100 });
    const { rawPayload } = await get(body.url, author.as);
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a cut-off picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an empty file', Buffer.alloc(0)],
    ['more than 5 MiB', Buffer.alloc(5 * 1024 * 1024 + 1, 1)],
  ])('refuses %s and stores nothing', async (_, content) => {
    const { author, upload, community } = await scene();
    const refused = await upload(author.as, content);
    expect([refused.status, refused.body.code]).toEqual([400, 'assets.bad_image']);
    const rows = await db.selectFrom('post_pictures').select('id').where('community_id', '=', community.id).execute();
    expect(rows).toEqual([]);
  });

  it('is for people who may post there', async () => {
    const { upload, author, params } = await scene();
    expect((await upload({})).status).toBe(401);
    expect((await upload((await makePerson(test)).as)).status).toBe(404);
    const visible = await scene({ privacy: 'closed-visible' });
    expect((await visible.upload((await makePerson(test)).as)).status).toBe(403);
    const bare = await test.send('POST', addressOf(uploadPostPicture, { params }), { as: author.as, body: {} });
    expect([bare.status, bare.body.code]).toEqual([400, 'assets.bad_image']);
  });

  itInProcess('counts in the space of the person and the installation', async () => {
    for (const [setting, code] of [
      ['MEDIA_MB_A_PERSON', 'content.quota_reached'],
      ['MEDIA_MB_TOTAL', 'content.storage_full'],
    ] as const) {
      const small = await createTestApp({ [setting]: '1' });
      const [person, community] = [await makePerson(small), await makeCommunity(small.ctx.db, {})];
      await makeMember(small.ctx.db, community, person);
      await sql`insert into stored_files (key, bytes, user_id) values ('a', 1048576, ${person.id})`.execute(
        small.ctx.db,
      );
      const { headers, payload } = await pictureForm();
      const url = addressOf(uploadPostPicture, { params: { slug: community.slug } });
      const refused = await small.send('POST', url, { as: person.as, headers, body: payload });
      expect([refused.status, refused.body.code]).toEqual([413, code]);
    }
  });

  itInProcess('is limited per person', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' });
    const [person, community] = [await makePerson(limited), await makeCommunity(limited.ctx.db, {})];
    await makeMember(limited.ctx.db, community, person);
    const { headers, payload } = await pictureForm();
    const url = addressOf(uploadPostPicture, { params: { slug: community.slug } });
    const send = async () => (await limited.send('POST', url, { as: person.as, headers, body: payload })).status;
    expect(await send()).toBe(201);
    await takeLimit(limited.ctx, `post-picture:${person.id}`, { max: 1000, windowSeconds: 3600 }, 60);
    expect(await send()).toBe(429);
  });
});

describe('a picture in a post', () => {
  it('is seen by those who may read the post, and by nobody else', async () => {
    const { author, member, owner, uploaded, post, params } = await scene();
    const { url } = await uploaded(author);
    await post(author, url);
    const stranger = await makePerson(test);
    expect(await seenBy(url, author, member, owner, stranger, undefined)).toEqual([200, 200, 200, 404, 404]);
    expect((await get(`${POST_PICTURES}${newId()}`, author.as)).statusCode).toBe(404);
    expect((await get(`${POST_PICTURES}x`, author.as)).statusCode).toBe(404);
    await test.call(removeMember, owner.as, { params: { ...params, userId: member.id } });
    expect(await seenBy(url, member)).toEqual([404]);
  });

  it('of an open community is seen by everybody', async () => {
    const { author, uploaded, post } = await scene({ privacy: 'open-visible' });
    const { url } = await uploaded(author);
    expect(await seenBy(url, undefined)).toEqual([404]);
    await post(author, url);
    expect(await seenBy(url, undefined)).toEqual([200]);
  });

  it('does not become visible through a post of somebody else or elsewhere', async () => {
    const { author, member, uploaded, post } = await scene();
    const { url } = await uploaded(author);
    await post(member, url);
    expect(await seenBy(url, member)).toEqual([404]);
    const open = await scene({ privacy: 'open-visible' });
    await makeMember(db, open.community, author);
    await open.post(author, url);
    expect(await seenBy(url, undefined, member)).toEqual([404, 404]);
  });

  it('leaves with an edit, and with the post', async () => {
    const { author, member, uploaded, post, params } = await scene();
    const [one, other] = [await uploaded(author), await uploaded(author)];
    const id = await post(author, one.url, other.url);
    const at = { ...params, id };
    await test.call(updateActivity, author.as, { params: at, body: { body: `![Other](${other.url})` } });
    expect(await seenBy(one.url, member)).toEqual([404]);
    expect(await seenBy(other.url, member)).toEqual([200]);
    await test.call(deleteActivity, author.as, { params: at });
    expect(await seenBy(other.url, member, author)).toEqual([404, 404]);
  });

  it('stands in replies as well', async () => {
    const { author, member, uploaded, post, params } = await scene();
    const id = await post(author, (await uploaded(author)).url);
    const { url } = await uploaded(author);
    const body = { kind: 'reply', body: `See ![this](${url})` };
    const reply = await test.call(createActivityReaction, author.as, { params: { ...params, id }, body });
    expect(reply.status).toBe(201);
    expect(await seenBy(url, member)).toEqual([200]);
    const next = await uploaded(author);
    const at = { ...params, id: reply.body.id };
    await test.call(updateReaction, author.as, { params: at, body: { body: `![That](${next.url})` } });
    expect([...(await seenBy(url, member)), ...(await seenBy(next.url, member))]).toEqual([404, 200]);
    await test.call(deleteReaction, author.as, { params: at });
    expect(await seenBy(next.url, member)).toEqual([404]);
  });

  it('of a reply is for those who may read replies, also in an open community', async () => {
    const { author, member, uploaded, post, params } = await scene({ privacy: 'open-visible' });
    const id = await post(author, (await uploaded(author)).url);
    const { url } = await uploaded(author);
    const body = { kind: 'reply', body: `![this](${url})` };
    await test.call(createActivityReaction, author.as, { params: { ...params, id }, body });
    expect(await seenBy(url, member, undefined)).toEqual([200, 404]);
  });

  it('is one of ten at most', async () => {
    const { author, uploaded, params } = await scene();
    const urls = await Promise.all(Array.from({ length: 11 }, async () => (await uploaded(author)).url));
    const body = (count: number) => ({
      body: urls
        .slice(0, count)
        .map((url) => `![A](${url})`)
        .join('\n'),
    });
    const many = await test.call(createActivity, author.as, { params, body: body(11) });
    expect([many.status, many.body.issues?.[0]?.path]).toEqual([400, 'body']);
    expect((await test.call(createActivity, author.as, { params, body: body(10) })).status).toBe(201);
  });
});

it('a text shows the size of its own pictures, and the alternative text of others', async () => {
  const { author, uploaded, params } = await scene();
  const { url } = await uploaded(author);
  const elsewhere = await (await scene()).post(author, url).catch(() => undefined);
  expect(elsewhere).toBeUndefined(); // not a member there
  const body = `![Ours](${url}) ![Nobody’s](${POST_PICTURES}${newId()})`;
  const posted = await test.call(createActivity, author.as, { params, body: { body } });
  expect(posted.body.bodyHtml).toBe(
    `<p><img src="${url}" alt="Ours" width="60" height="40" loading="lazy"> Nobody’s</p>\n`,
  );
});

describe('sweeping', () => {
  const age = async (days: number) =>
    await sql`update post_pictures set created_at = now() - make_interval(days => ${days})`.execute(db);
  const sweep = async () => {
    await sql`update stored_files set stored_at = now() - interval '8 days'`.execute(db);
    await sweepJob.run(test.ctx, {});
    await sweepJob.run(test.ctx, {});
  };

  it('deletes pictures that were never sent after a day, and those of deleted posts after a week', async () => {
    const { author, uploaded, post, params } = await scene();
    const [unsent, kept, gone, fresh] = [
      await uploaded(author),
      await uploaded(author),
      await uploaded(author),
      await uploaded(author),
    ];
    await post(author, kept.url);
    const id = await post(author, gone.url);
    await test.call(deleteActivity, author.as, { params: { ...params, id } });
    const keys = Object.fromEntries(
      await Promise.all(
        Object.entries({ unsent, kept, gone, fresh }).map(async ([name, picture]) => [
          name,
          (await rowsOf(picture.id))[0]?.key,
        ]),
      ),
    ) as Record<string, string>;
    await age(2);
    await sql`update post_pictures set created_at = now() where id = ${fresh.id}`.execute(db);
    await sweep();
    expect(await isStored(keys['unsent'])).toBe(false);
    for (const name of ['kept', 'gone', 'fresh']) expect(await isStored(keys[name]), name).toBe(true);
    await sql`update activities set deleted_at = now() - interval '8 days' where id = ${id}`.execute(db);
    await sweep();
    expect(await isStored(keys['gone'])).toBe(false);
    expect(await isStored(keys['kept'])).toBe(true);
  });

  it('keeps the picture of a removed post while the decision can be reversed', async () => {
    const { author, owner, uploaded, post, params } = await scene();
    const { id: pictureId, url } = await uploaded(author);
    const id = await post(author, url);
    await test.call(deleteActivity, owner.as, { params: { ...params, id } });
    const [row] = await rowsOf(pictureId);
    await age(30);
    await sql`update activities set deleted_at = now() - interval '30 days' where id = ${id}`.execute(db);
    await sweep();
    expect(await isStored(row?.key)).toBe(true);
    await sql`update moderation_decisions set held = null where object_id = ${id}`.execute(db);
    await sweep();
    expect([await isStored(row?.key), await rowsOf(pictureId)]).toEqual([false, []]);
  });
});
