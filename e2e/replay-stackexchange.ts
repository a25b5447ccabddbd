import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import PostalMime from 'postal-mime';
import { stringify } from 'yaml';
import * as account from '@officium/contract/account';
import * as auth from '@officium/contract/auth';
import { createClient, type Client, type Send } from '@officium/contract/client';
import * as community from '@officium/contract/community';
import { startProduct, type Product } from './product.ts';

/**
 * Replays a Stack Exchange data dump (Posts.xml, Users.xml …) through the public API as the dump's people: questions as
 * posts, answers and comments as replies, up votes as likes, edits in order. Then reads everything back and compares it
 * with the dump. `node e2e/replay-stackexchange.ts <folder of the dump>`
 */

const SERVICE_KEY = 'replay-service-key-0123456789-0123456789';
const PASSWORD = 'a long enough password';
const SLUG = 'replayed';

type Row = Record<string, string | undefined>;
export type Dump = Record<'Posts' | 'Comments' | 'Votes' | 'Users' | 'PostHistory' | 'Tags', Row[]>;

export async function readDump(folder: string): Promise<Dump> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    processEntities: true,
    htmlEntities: true,
  });
  const read = async (name: string): Promise<Row[]> => {
    const document = parser.parse(await readFile(join(folder, `${name}.xml`), 'utf8')) as Record<
      string,
      { row: Row[] }
    >; // fixed format of the dump
    return Object.values(document).flatMap((element) => element?.row ?? []);
  };
  const [Posts, Comments, Votes, Users, PostHistory, Tags] = await Promise.all(
    ['Posts', 'Comments', 'Votes', 'Users', 'PostHistory', 'Tags'].map(read),
  );
  return { Posts, Comments, Votes, Users, PostHistory, Tags } as Dump; // read() returned one list per name
}

const endpoints = { ...pick(auth), ...pick(account), ...pick(community) };
type Api = Client<typeof endpoints>;

function pick<M extends object>(module: M) {
  const entries = Object.entries(module).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'replies' in value,
  );
  return Object.fromEntries(entries) as {
    [K in keyof M as M[K] extends { replies: object; service: string } ? K : never]: M[K] extends {
      replies: object;
      service: string;
    }
      ? M[K]
      : never;
  }; // the type left by the filter
}

/** An API client with its own session cookie. */
function person(url: string, extra: Record<string, string> = {}): Api {
  let cookie = '';
  const send: Send = async ({ method, path, body }) => {
    const init: RequestInit = {
      method,
      headers: {
        ...extra,
        ...(cookie ? { cookie, 'sec-fetch-site': 'same-origin' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const response = await fetch(url + path, init);
    for (const set of response.headers.getSetCookie()) cookie = set.split(';', 1)[0] ?? '';
    return { status: response.status, text: await response.text() };
  };
  return createClient(endpoints, send);
}

async function inBatches<T>(items: T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work));
}

/** The secret in the newest welcome mail to each address. */
async function welcomeSecrets(outbox: string): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (const file of (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()) {
    const mail = await PostalMime.parse(await readFile(join(outbox, file)));
    const [, secret] = /onboardingState=([\w-]+)/.exec(mail.text ?? '') ?? [];
    const to = mail.to?.[0]?.address;
    if (secret && to) secrets.set(to, secret);
  }
  return secrets;
}

const emailOf = (userId: string) => `se-${userId.replace('-', 'minus')}@replay.example.org`;
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, '');

/**
 * Whether two renderings of one source have equal text. Leaves out features of the dump's site: bare links shown as
 * titles, `[tag:x]`, and pictures, for which we show the alternative text. The Markdown dialects differ in lists
 * written `1)`, headings without a space and double-escaped entities.
 */
function readsAlike(ours: string, theirs: string, source: string): boolean {
  const bare = new Set(source.match(/(?<=^|\s)https?:\/\/\S+(?=\s|$)/g) ?? []);
  const pictures = [...source.matchAll(/!\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  const plain = (html: string) => {
    const linkless = html.replace(/<a [^>]*href="([^"]*)"[^>]*>.*?<\/a>/gs, (whole, href: string) =>
      bare.has(href.replaceAll('&amp;', '&')) ? '' : whole,
    );
    const pictureless = pictures.reduce((text, alt) => (alt === '' ? text : text.replace(alt, '')), linkless);
    return textOf(pictureless.replace(/\[tag:([^\]]*)\]/g, '$1'))
      .toLowerCase()
      .replace(/\d\)/g, '')
      .replaceAll('&mdash;', '—')
      .replaceAll('&hellip;', '…')
      .replaceAll('#', '');
  };
  return plain(ours) === plain(theirs);
}

export type Report = { name: string; expected: unknown; found: unknown }[];

export async function replay(product: Product, dump: Dump): Promise<Report> {
  const { url, dataDir } = product;
  // Create the community with the public import.
  const folder = join(dataDir, 'replay');
  await mkdir(folder, { recursive: true });
  const tags = dump.Tags.map((tag) => tag['TagName'] ?? '');
  const used = dump.Posts.flatMap((post) =>
    [...(post['Tags'] ?? '').matchAll(/<([^>]+)>/g)].map((match) => match[1] ?? ''),
  );
  const historic = dump.PostHistory.filter((row) => ['3', '6'].includes(row['PostHistoryTypeId'] ?? '')).flatMap(
    (row) => [...(row['Text'] ?? '').matchAll(/<([^>]+)>/g)].map((match) => match[1] ?? ''),
  );
  const page = {
    slug: SLUG,
    title: { en: 'Replayed' },
    description: { en: 'A replayed community' },
    privacy: 'open-visible',
    locale: 'en',
    categories: [...new Set([...tags, ...used, ...historic])],
    scopes: { can_view: 'public', can_join: 'authenticated' },
  };
  await writeFile(join(folder, 'content.yaml'), stringify({ format: 1, communities: [page] }));
  const root = new URL('..', import.meta.url);
  await promisify(execFile)(process.execPath, ['server/cli/import.ts', folder], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, ...(product.databaseUrl ? { DATABASE_URL: product.databaseUrl } : {}) },
  });

  // Create the people by service key, with a welcome mail and a password each.
  const service = person(url, { authorization: `Bearer ${SERVICE_KEY}` });
  const users = [...dump.Users, { Id: 'guest', DisplayName: 'A guest' }];
  await inBatches(users, 8, async (user) => {
    await service.createAccount({
      query: { approved: 'true' },
      body: { name: user['DisplayName'] ?? '', email: emailOf(user['Id'] ?? '') },
    });
  });
  let secrets = new Map<string, string>();
  for (let wait = 0; secrets.size < users.length && wait < 240; wait += 1) {
    await new Promise((later) => setTimeout(later, 500));
    secrets = await welcomeSecrets(join(dataDir, 'outbox'));
  }
  const people = new Map<string, Api>();
  await inBatches(users, 8, async (user) => {
    const id = user['Id'] ?? '';
    const api = person(url);
    await api.setPassword({ body: { password: PASSWORD, onboardingState: secrets.get(emailOf(id)) ?? '' } });
    await api.signIn({ body: { email: emailOf(id), password: PASSWORD } });
    await api.joinCommunity({ params: { slug: SLUG } });
    if (user['AboutMe']) await api.updateProfile({ body: { biography: user['AboutMe'] } });
    people.set(id, api);
  });
  const as = (userId: string | undefined): Api => people.get(userId ?? 'guest') ?? people.get('guest')!; // the guest was created above

  // Replay texts in chronological order.
  const activities = new Map<string, string>(); // post of the dump → activity
  const replies = new Map<string, { activity: string; id: string }>(); // answer or comment → reply
  const postOf = new Map(dump.Posts.map((post) => [post['Id'] ?? '', post]));
  const history = new Map<string, Row[]>();
  for (const row of dump.PostHistory)
    history.set(row['PostId'] ?? '', [...(history.get(row['PostId'] ?? '') ?? []), row]);
  const tagsOf = (text: string | undefined) => [...(text ?? '').matchAll(/<([^>]+)>/g)].map((match) => match[1] ?? '');

  for (const post of [...dump.Posts].sort((a, b) => (a['CreationDate'] ?? '').localeCompare(b['CreationDate'] ?? ''))) {
    const id = post['Id'] ?? '';
    const author = as(post['OwnerUserId']);
    const revisions = new Map<string, Row[]>();
    for (const row of history.get(id) ?? [])
      revisions.set(row['RevisionGUID'] ?? '', [...(revisions.get(row['RevisionGUID'] ?? '') ?? []), row]);
    const state = { title: post['Title'], body: post['Body'] ?? '', categories: tagsOf(post['Tags']) };
    let isFirst = true;
    for (const rows of revisions.values()) {
      const of = (...types: string[]) => rows.find((row) => types.includes(row['PostHistoryTypeId'] ?? ''))?.['Text'];
      if (of('1', '2', '3', '4', '5', '6') === undefined) continue; // closed, protected …: no new text
      state.title = of('1', '4') ?? state.title;
      state.body = of('2', '5') ?? state.body;
      if (of('3', '6') !== undefined) state.categories = tagsOf(of('3', '6'));
      if (post['PostTypeId'] === '1') {
        const body = { title: state.title, body: state.body, categories: state.categories };
        if (isFirst)
          activities.set(
            id,
            (await author.createActivity({ params: { slug: SLUG }, body: { ...body, verb: 'post' } })).id,
          );
        else await author.updateActivity({ params: { slug: SLUG, id: activities.get(id) ?? '' }, body });
      } else {
        const activity = activities.get(post['ParentId'] ?? '') ?? '';
        if (isFirst) {
          const { id: reply } = await author.createActivityReaction({
            params: { slug: SLUG, id: activity },
            body: { kind: 'reply', body: state.body },
          });
          replies.set(id, { activity, id: reply });
        } else
          await author.updateReaction({
            params: { slug: SLUG, id: replies.get(id)?.id ?? '' },
            body: { body: state.body },
          });
      }
      isFirst = false;
    }
  }
  for (const comment of dump.Comments) {
    const author = as(comment['UserId']);
    const body = { kind: 'reply', body: comment['Text'] ?? '', additional_data: { comment: comment['Id'] } } as const;
    const post = comment['PostId'] ?? '';
    const reply = replies.get(post);
    if (reply) await author.createChildReaction({ params: { slug: SLUG, id: reply.id }, body });
    else await author.createActivityReaction({ params: { slug: SLUG, id: activities.get(post) ?? '' }, body });
  }
  // The dump does not reveal voters, so each vote is cast by a person other than the author.
  const ids = [...people.keys()].filter((id) => id !== 'guest');
  const cast = new Map<string, number>();
  for (const vote of dump.Votes.filter((row) => row['VoteTypeId'] === '2' && postOf.has(row['PostId'] ?? ''))) {
    const post = postOf.get(vote['PostId'] ?? '')!; // checked by the filter
    let turn = cast.get(post['Id'] ?? '') ?? 0;
    if (ids[turn] === post['OwnerUserId']) turn += 1;
    cast.set(post['Id'] ?? '', turn + 1);
    const reply = replies.get(post['Id'] ?? '');
    if (reply)
      await as(ids[turn]).createChildReaction({ params: { slug: SLUG, id: reply.id }, body: { kind: 'like' } });
    else
      await as(ids[turn]).createActivityReaction({
        params: { slug: SLUG, id: activities.get(post['Id'] ?? '') ?? '' },
        body: { kind: 'like' },
      });
  }
  await people.get('guest')?.deleteAccount({ params: { email: emailOf('guest') } });

  return await compare(as('39'), dump, activities, replies);
}

type Posts = Map<string, string>;
type Replies = Map<string, { activity: string; id: string }>;

async function compare(reader: Api, dump: Dump, activities: Posts, replies: Replies): Promise<Report> {
  const report: Report = [];
  const check = (name: string, expected: unknown, found: unknown) => report.push({ name, expected, found });
  const feed = await reader.listActivities({ params: { slug: SLUG }, query: { limit: '100' } });
  const questions = dump.Posts.filter((post) => post['PostTypeId'] === '1');
  const answers = dump.Posts.filter((post) => post['PostTypeId'] === '2');
  check('posts', questions.length, feed.total);
  check('posts in the feed', questions.length, feed.results.length);

  type Reaction = Awaited<ReturnType<Api['listActivityReactions']>>['results'][number];
  const all = async (
    list: (query: Record<string, string>) => Promise<{ results: Reaction[]; next?: string }>,
    limit: number,
  ) => {
    const sizes: number[] = [];
    const found: Reaction[] = [];
    let query: Record<string, string> | undefined = { limit: String(limit) };
    while (query) {
      const { results, next } = await list(query);
      sizes.push(results.length);
      found.push(...results);
      query = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next));
    }
    return { found, sizes };
  };
  const upVotes = (id: string | undefined) =>
    dump.Votes.filter((vote) => vote['VoteTypeId'] === '2' && vote['PostId'] === id).length;
  const commentsOn = (id: string | undefined) => dump.Comments.filter((comment) => comment['PostId'] === id).length;

  let [likesRight, repliesRight, children, textsRight, nameless, scoresRight] = [0, 0, 0, 0, 0, 0];
  const byId = new Map<string, Reaction>();
  for (const question of questions) {
    const id = question['Id'] ?? '';
    const activity = activities.get(id) ?? '';
    const read = await reader.readActivity({ params: { slug: SLUG, id: activity } });
    const { found } = await all(
      (query) => reader.listActivityReactions({ params: { slug: SLUG, id: activity }, query }),
      25,
    );
    for (const reply of found) byId.set(reply.id, reply);
    const expected = answers.filter((answer) => answer['ParentId'] === id).length + commentsOn(id);
    if (read.reaction_counts.reply === expected && found.length === expected) repliesRight += 1;
    if (read.reaction_counts.like === upVotes(id)) likesRight += 1;
    const downVotes = dump.Votes.filter((vote) => vote['VoteTypeId'] === '3' && vote['PostId'] === id).length;
    if (read.reaction_counts.like - downVotes === Number(question['Score'])) scoresRight += 1;
    if (readsAlike(read.bodyHtml ?? '', question['Body'] ?? '', read.body ?? '')) textsRight += 1;
  }
  let pages: number[] = [];
  for (const answer of answers) {
    const { id = '' } = replies.get(answer['Id'] ?? '') ?? {};
    const reply = byId.get(id);
    if (!reply || 'deleted' in reply) continue;
    const { found, sizes } = await all((query) => reader.listChildReactions({ params: { slug: SLUG, id }, query }), 4);
    children += found.length;
    if (answer['Id'] === '15') pages = sizes;
    if (reply.children_counts.like === upVotes(answer['Id'])) likesRight += 1;
    const downVotes = dump.Votes.filter((vote) => vote['VoteTypeId'] === '3' && vote['PostId'] === answer['Id']).length;
    if (reply.children_counts.like - downVotes === Number(answer['Score'])) scoresRight += 1;
    if (reply.children_counts.reply === commentsOn(answer['Id']) && found.length === commentsOn(answer['Id']))
      repliesRight += 1;
    if (readsAlike(reply.bodyHtml ?? '', answer['Body'] ?? '', reply.body ?? '')) textsRight += 1;
    if (reply.user_id === '00000000-0000-0000-0000-000000000000') nameless += 1;
  }
  check('posts and answers with the right number of replies', dump.Posts.length, repliesRight);
  check('posts and answers with the right number of likes', dump.Posts.length, likesRight);
  check('posts and answers whose likes less the dump’s down votes are its score', dump.Posts.length, scoresRight);
  check(
    'comments on answers',
    dump.Comments.filter((comment) => replies.has(comment['PostId'] ?? '')).length,
    children,
  );
  check('replies read', answers.length + dump.Comments.length, byId.size + children);
  check('answers without an owner', answers.filter((answer) => !answer['OwnerUserId']).length, nameless);
  check('pages of four under answer 15', dump.Posts.some((post) => post['Id'] === '15') ? [4, 4, 4, 3] : [], pages);
  check('texts that read as the dump’s HTML', dump.Posts.length, textsRight);
  return report;
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (!positionals[0]) throw new Error('Usage: node e2e/replay-stackexchange.ts <folder of the dump>');
  const dump = await readDump(positionals[0]);
  const product = await startProduct({ SERVICE_API_KEYS: `replay:${SERVICE_KEY}`, DEMO_CONTENT: 'off' });
  try {
    const report = await replay(product, dump);
    for (const { name, expected, found } of report)
      process.stdout.write(
        `${JSON.stringify(expected) === JSON.stringify(found) ? 'same ' : 'OTHER'} ${name}: ${JSON.stringify(expected)} ${JSON.stringify(found)}\n`,
      );
    process.exitCode = report.every(({ expected, found }) => JSON.stringify(expected) === JSON.stringify(found))
      ? 0
      : 1;
  } finally {
    await product.stop();
  }
}
