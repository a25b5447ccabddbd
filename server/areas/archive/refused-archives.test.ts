import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { readTexts } from '#server/test/archive/everything.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeCommunity, makeMember } from '#server/test/factories/communities.ts';
import { makeZip, type ZipEntry } from '#server/test/factories/zips.ts';
import { pixel } from '#server/test/factories/content.ts';
import { VERSION } from '#server/version.ts';
import { exportAllTo } from './export-all.service.ts';
import { ArchiveRefused, importAll } from './import-all.service.ts';

const source = await createTestApp();
const target = await createTestApp({ DEMO_CONTENT: 'off' });
const folder = await mkdtemp(join(tmpdir(), 'officium-refused-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const person = await makePerson(source, { name: 'Maya' });
const community = await makeCommunity(source.ctx.db);
await makeMember(source.ctx.db, community, person);
await sql`
  insert into community_settings (community_id, locale, rules, rules_html)
  values (${community.id}, 'en', '{Be kind}', '{<p>Be kind</p>}')`.execute(source.ctx.db);
const good = join(folder, 'good.zip');
await exportAllTo(source.ctx, good);
const texts = await readTexts(good);

type Change = { files?: Record<string, string | Uint8Array | undefined>; manifest?: object; extra?: ZipEntry[] };

/** An archive with other content; the manifest lists it unless it says otherwise. */
async function archiveWith({ files = {}, manifest = {}, extra = [] }: Change): Promise<string> {
  const contents = new Map<string, string | Uint8Array>(texts);
  contents.delete('manifest.json');
  for (const [path, content] of Object.entries(files))
    if (content === undefined) contents.delete(path);
    else contents.set(path, content);
  const listed = [...contents].map(([path, content]) => ({
    path,
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const said = { ...JSON.parse(texts.get('manifest.json') ?? ''), files: listed, ...manifest };
  const entries = [...contents].map(([name, content]) => ({ name, content }));
  const file = join(folder, `${newId()}.zip`);
  await writeFile(file, makeZip([...entries, { name: 'manifest.json', content: JSON.stringify(said) }, ...extra]));
  return file;
}

/** The faults of an archive. Nothing may be left of it. */
async function faultsOf(file: string): Promise<readonly string[]> {
  const error = await importAll(target.ctx, file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ArchiveRefused);
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from users)::int + (select count(*) from entries)::int as n`.execute(target.ctx.db);
  expect(rows).toEqual([{ n: 0 }]);
  return (error as ArchiveRefused).faults; // checked above
}

const PEOPLE = 'records/people.ndjson';
const TIME = '2026-03-01T10:00:00+00:00';
const ID = '0195542b-0000-7000-8000-000000000001';
const people = (change: (record: Record<string, unknown>) => unknown) => {
  const [line = ''] = (texts.get(PEOPLE) ?? '').split('\n');
  return `${JSON.stringify(change(JSON.parse(line)))}\n`;
};

describe('an archive is refused with file, line and field', () => {
  it.each([
    ['a line that is not JSON', { [PEOPLE]: '{"id"\n' }, `${PEOPLE}:1 is not JSON`],
    ['a line that is not an object', { [PEOPLE]: '[]\n' }, `${PEOPLE}:1 is not an object`],
    ['a missing field', { [PEOPLE]: people((one) => ({ ...one, email: undefined })) }, `${PEOPLE}:1 email is missing`],
    [
      'an unknown field',
      { [PEOPLE]: people((one) => ({ ...one, passwordHash: 'x' })) },
      `${PEOPLE}:1 passwordHash is unknown`,
    ],
    ['a wrong type', { [PEOPLE]: people((one) => ({ ...one, createdAt: 'soon' })) }, `${PEOPLE}:1 createdAt: `],
    ['a wrong value', { [PEOPLE]: people((one) => ({ ...one, role: 'king' })) }, `${PEOPLE}:1 role: `],
    ['a missing value', { [PEOPLE]: people((one) => ({ ...one, name: null })) }, `${PEOPLE}:1 name: `],
    [
      'a record twice',
      { [PEOPLE]: `${people((one) => one)}${people((one) => ({ ...one, email: 'other@example.gov' }))}` },
      `${PEOPLE}:2 id: `,
    ],
    ['a reference to nothing', { [PEOPLE]: '' }, 'records/community-members.ndjson:1 personId: '],
  ])('%s', async (_, files, fault) => {
    const faults = await faultsOf(await archiveWith({ files }));
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});

describe('an archive is refused for a value that the product never stores', () => {
  const SECRET = '../../secret.key';
  const SCRIPT = 'javascript:alert(1)';
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const line = (file: string, record: object) => ({ [`records/${file}.ndjson`]: `${JSON.stringify(record)}\n` });
  const picture = { path: 'a.png', entryId: 'e', key: SECRET, mime: 'image/png', bytes: 1, hash: 'x', title: {} };
  const stored = { key: SECRET, bytes: 1, userId: null, isPrivate: false, storedAt: TIME };
  const event = {
    timeZone: 'UTC',
    starts: '2026-03-01T10:00',
    ends: '2026-03-01T11:00',
    recurrence: null,
    place: null,
  };
  const session = { startsAt: TIME, endsAt: TIME, place: null, capacity: null, cancelledAt: null, sequence: 0 };
  const notice = { version: 1, level: 'info', audience: 'everyone', texts: {}, startsAt: TIME, endsAt: null };

  it.each([
    ['the key of a picture that leads elsewhere', line('pictures', picture), 'pictures.ndjson:1 key'],
    ['the key of a file that leads elsewhere', line('stored-files', stored), 'stored-files.ndjson:1 key'],
    [
      'the address of a notice',
      line('site-notices', { id: ID, ...notice, url: SCRIPT, changedAt: TIME }),
      'site-notices.ndjson:1 url',
    ],
    [
      'the link of an event',
      line('events', {
        id: 'e',
        ...event,
        link: SCRIPT,
        recording: null,
        capacity: 1,
        communityId: null,
        courseId: null,
      }),
      'events.ndjson:1 link',
    ],
    [
      'the recording of a session',
      line('event-sessions', { id: ID, eventId: 'e', ...session, link: null, recording: SCRIPT, changedAt: TIME }),
      'event-sessions.ndjson:1 recording',
    ],
  ])('%s', async (_, files, place) => {
    const faults = await faultsOf(await archiveWith({ files }));
    expect(faults).toEqual([`records/${place} has a value that this product never stores`]);
  });

  it('values in values without end', async () => {
    const [record = ''] = (texts.get(PEOPLE) ?? '').split('\n');
    const files = { [PEOPLE]: `${record.replace(/"location":(?:null|\{[^}]*\})/, `"location":${deep(20_000)}`)}\n` };
    expect(await faultsOf(await archiveWith({ files }))).toEqual([`${PEOPLE}:1 location is nested too deeply`]);
  });
});

describe('HTML that rendering never makes is refused', () => {
  const RULES = 'records/community-settings.ndjson';
  it.each([
    '<script>alert(1)</script>',
    '<p onclick="alert(1)">x</p>',
    '<img src=x onerror=alert(1)>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<iframe src="https://example.org"></iframe>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<p style="position:fixed">x</p>',
    '<form action="https://example.org"><input name="password"></form>',
    '<form class="quiz" id="quiz-1" method="post" action="https://example.org"></form>',
    '<form class="quiz" id="quiz-1" method="post" action="#quiz-1-result"><input type="hidden" name="intent" value="leave"></form>',
    '<input type="hidden" name="next" value="x">',
    '<button type="submit" formaction="/logout">x</button>',
    '<video src="https://example.org/a.mp4" controls></video>',
    '<video src="//example.org/a.mp4" autoplay></video>',
    '<div onclick="alert(1)">x</div>',
    '<!-- x --><p>x</p>',
  ])('%s', async (html) => {
    const [line = ''] = (texts.get(RULES) ?? '').split('\n');
    const record = { ...JSON.parse(line), rulesHtml: ['<p>Be kind</p>', html] };
    const faults = await faultsOf(await archiveWith({ files: { [RULES]: `${JSON.stringify(record)}\n` } }));
    expect(faults).toEqual([`${RULES}:1 rulesHtml has HTML that this product never stores`]);
  });
});

describe('an archive is refused', () => {
  it.each([
    [
      'when a file was changed',
      { files: { [PEOPLE]: 'x' }, manifest: { files: JSON.parse(texts.get('manifest.json') ?? '').files } },
      'size',
    ],
    [
      'when a file is missing',
      { files: { [PEOPLE]: undefined }, manifest: { files: JSON.parse(texts.get('manifest.json') ?? '').files } },
      `${PEOPLE} is missing`,
    ],
    [
      'with a file that the manifest does not list',
      { extra: [{ name: 'content/more.md', content: 'x' }] },
      'content/more.md is not in manifest.json',
    ],
    ['of a later format', { manifest: { version: 2 } }, 'version: this product reads version 1, not 2'],
    ['of a later product', { manifest: { product: '99.0.0' } }, `upgrade this product (${VERSION}) first`],
    ['with a wrong manifest', { manifest: { madeAt: 'today' } }, 'manifest.json madeAt'],
    ['with a name that leaves the archive', { extra: [{ name: '../evil.ndjson', content: '' }] }, '../evil.ndjson'],
    ['with an absolute name', { extra: [{ name: '/etc/passwd', content: '' }] }, '/etc/passwd'],
    ['with a file of another kind', { extra: [{ name: 'records/run.sh', content: '' }] }, 'belongs to no archive'],
    ['with a link', { extra: [{ name: 'content/link', content: '/etc', unixMode: 0o120777 }] }, 'content/link'],
    ['with an encrypted file', { extra: [{ name: 'content/x.md', content: 'x', isEncrypted: true }] }, 'encrypted'],
    ['with a file twice', { extra: [{ name: PEOPLE, content: texts.get(PEOPLE) ?? '' }] }, 'twice'],
    ['with a bomb', { files: { 'content/bomb.md': Buffer.alloc(16 * 1024 * 1024) } }, 'far more than its size'],
    [
      'with a picture that is not one',
      { files: { [`files/profiles/${newId()}-512.webp`]: 'text' } },
      'is not a picture',
    ],
    [
      'with a picture of another type',
      { files: { [`files/profiles/${newId()}-512.webp`]: pixel(1) } },
      'is not a picture',
    ],
  ] satisfies [string, Change, string][])('%s', async (_, change, fault) => {
    expect((await faultsOf(await archiveWith(change))).join()).toContain(fault);
  });

  it('when it is no ZIP, is cut off, or is not there', async () => {
    const file = join(folder, 'text.zip');
    await writeFile(file, 'just a text');
    expect((await faultsOf(file)).join()).toContain('not a readable ZIP');
    await writeFile(file, makeZip([{ name: 'content/a.md', content: 'a' }]));
    expect((await faultsOf(file)).join()).toContain('manifest.json is missing');
    expect((await faultsOf(join(folder, 'nothing.zip'))).join()).toContain('no such file');
  });

  it('when its last file cannot be stored, and leaves no file', async () => {
    const name = `${newId()}-512.webp`;
    const file = await archiveWith({ files: { [`files/profiles/${name}`]: 'text' } });
    await faultsOf(file);
    expect(await target.ctx.files.exists(`profiles/${name}`)).toBe(false);
  });
});

describe('an installation', () => {
  it('takes no archive when it has people or content', async () => {
    const used = await createTestApp({ DEMO_CONTENT: 'off' });
    await makePerson(used);
    await expect(importAll(used.ctx, good)).rejects.toThrow('This installation is not empty (1 people');
    const content = await createTestApp({ DEMO_CONTENT: 'off' });
    await makeCommunity(content.ctx.db);
    await expect(importAll(content.ctx, good)).rejects.toThrow('This installation is not empty (entries');
  });

  it('refuses a password that is none', async () => {
    for (const line of ['{"id": 1}', '{"id": null, "hash": ', `{"id": "${person.id}", "hash": "x"}`])
      expect(await faultsOf(await archiveWith({ files: { 'records/secret-passwords.ndjson': `${line}\n` } }))).toEqual([
        'records/secret-passwords.ndjson has a line that is no password',
      ]);
  });
});
