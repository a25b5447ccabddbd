import * as contract from '@officium/contract/community';
import * as polls from '@officium/contract/polls';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSession } from '#server/access/sessions.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction } from '#server/test/factories/communities.ts';
import { XSS_CORPUS } from '#server/text/xss-corpus.ts';
import { SERVICE_KEY } from '#server/test/app.ts';

const test = await createTestApp();
const { db } = test.ctx;
const log = (...a: unknown[]) => console.log(a.map((x) => (typeof x === 'string' ? x : JSON.stringify(x))).join(' '));

it('matrix', async () => {
  const lines: string[] = [];
  for (const privacy of ['open-visible', 'open-hidden', 'closed-visible', 'closed-hidden'] as const) {
    const c = await makeCommunity(db, { privacy, canView: 'public', canJoin: 'authenticated' });
    const mk = async (who: object, m?: object) => {
      const p = await makePerson(test, who as any);
      if (m) await makeMember(db, c, p, m as any);
      return p;
    };
    const owner = await mk({}, { role: 'owner' });
    const callers: Record<string, any> = {
      anon: {},
      inactive: (await mk({ role: 'inactive' }, {})).as,
      unproven: (await mk({ isProven: false })).as,
      nps: (await mk({ role: 'non-public-servant' })).as,
      ps: (await mk({})).as,
      pending: (await mk({}, { status: 'pending' })).as,
      invited: (await mk({}, { status: 'invited' })).as,
      reduced: (await mk({ role: 'non-public-servant' }, {})).as,
      member: (await mk({}, {})).as,
      level0: (await mk({}, { level: 0 })).as,
      mod: (await mk({}, { level: 3 })).as,
      owner: owner.as,
      admin: (await mk({ role: 'administrator' })).as,
      svc: { serviceKey: SERVICE_KEY },
      narrow1: { token: await openSession(db, { userId: (await mk({}, {})).id, permissions: { communities: { [c.slug]: 1 } } }) },
      narrow0: { token: await openSession(db, { userId: (await mk({}, {})).id, permissions: { communities: { other: 3 } } }) },
      narrowAdmin: { token: await openSession(db, { userId: (await mk({ role: 'administrator' })).id, permissions: { communities: { other: 3 } } }) },
    };
    const a = await makeActivity(db, c, owner);
    const r = await makeReaction(db, c, { activityId: a }, owner);
    const poll = await test.call(polls.createCommunityPoll, owner.as, { params: { slug: c.slug }, body: { title: 'p', options: [{ position: 1, body: 'a' }, { position: 2, body: 'b' }] } });
    const p = { slug: c.slug };
    for (const [name, as] of Object.entries(callers)) {
      const s = async (e: any, sent: any) => {
        const x = await test.call(e, as, sent);
        return `${x.status}`;
      };
      const out: Record<string, string> = {};
      out.page = await s(contract.readCommunity, { params: p });
      out.feed = await s(contract.listActivities, { params: p });
      out.read = await s(contract.readActivity, { params: { ...p, id: a } });
      out.readRnd = await s(contract.readActivity, { params: { ...p, id: newId() } });
      out.post = await s(contract.createActivity, { params: p, body: { title: 'x' } });
      out.put = await s(contract.updateActivity, { params: { ...p, id: a }, body: { title: 'x' } });
      out.members = await s(contract.listMembers, { params: p });
      out.poll = await s(polls.createCommunityPoll, { params: p, body: { title: 'p', options: [{ position: 1, body: 'a' }, { position: 2, body: 'b' }] } });
      out.rpoll = await s(polls.readPoll, { params: { id: poll.body.id } });
      out.vote = await s(polls.castVote, { params: { id: poll.body.optionIds[0] } });
      out.like = await s(contract.createActivityReaction, { params: { ...p, id: a }, body: { kind: 'like' } });
      out.reply = await s(contract.createActivityReaction, { params: { ...p, id: a }, body: { kind: 'reply', body: 'x' } });
      out.pin = await s(contract.createActivityReaction, { params: { ...p, id: a }, body: { kind: 'pin' } });
      out.pv = await s(contract.createActivityReaction, { params: { ...p, id: a }, body: { kind: 'poll-vote' } });
      out.list = await s(contract.listActivityReactions, { params: { ...p, id: a } });
      out.listpv = await s(contract.listActivityReactions, { params: { ...p, id: a }, query: { kind: 'poll-vote' } });
      out.child = await s(contract.createChildReaction, { params: { ...p, id: r }, body: { kind: 'reply', body: 'x' } });
      out.putR = await s(contract.updateReaction, { params: { ...p, id: r }, body: { body: 'x' } });
      if (!['admin', 'mod', 'owner'].includes(name)) out.delR = await s(contract.deleteReaction, { params: { ...p, id: r } });
      lines.push(`${privacy} ${name}: ${Object.entries(out).map(([k, v]) => `${k}=${v}`).join(' ')}`);
    }
    for (const n of ['nps', 'ps', 'inactive', 'anon', 'svc', 'member', 'admin', 'invited', 'pending']) {
      const x = await test.call(contract.joinCommunity, callers[n], { params: p });
      lines.push(`${privacy} join ${n} ${x.status} ${JSON.stringify(x.body.role ? x.body : x.body.message)}`);
    }
  }
  log(lines.join('\n'));
}, 60000);

it('oddities', async () => {
  const c = await makeCommunity(db, { categories: ['a', '😀'] });
  const m = await makePerson(test);
  await makeMember(db, c, m, { role: 'owner' });
  const p = { slug: c.slug };
  const a = await makeActivity(db, c, m);
  const like = await test.call(contract.createActivityReaction, m.as, { params: { ...p, id: a }, body: { kind: 'like' } });
  const replyToLike = await test.call(contract.createChildReaction, m.as, { params: { ...p, id: like.body.id }, body: { kind: 'reply', body: 'x' } });
  log('reply to like', replyToLike.status);
  log('del like', (await test.call(contract.deleteReaction, m.as, { params: { ...p, id: like.body.id } })).status);
  const again = await test.call(contract.createActivityReaction, m.as, { params: { ...p, id: a }, body: { kind: 'like' } });
  log('like again', again.status, again.body);
  log('counts', (await test.call(contract.readActivity, m.as, { params: { ...p, id: a } })).body.reaction_counts);
  for (const q of ['limit=0', 'limit=101', 'limit=-1', 'limit=abc', 'limit=', 'limit=1.5', 'limit=1e2', 'limit=%2B5', 'limit=05', 'offset=10000', 'offset=10001', 'offset=-1', 'offset=', 'ranking=', 'ranking=x', 'category=', 'category=zzz', 'category=%F0%9F%98%80', 'limit=1&limit=2', 'offset=99999999999999999999', 'locale=xx', 'locale=', 'category=%00', 'unknown=1', 'limit=%D9%A1']) {
    const r = await test.send('GET', `/api/community/communities/${c.slug}/activities?${q}`, { as: m.as });
    log(q, r.status, r.status === 200 ? { t: r.body.total, n: r.body.results.length, no: r.body.nextOffset } : r.body.message);
  }
  for (const q of ['limit=0', 'limit=100', 'limit=101', 'id_lt=x', 'id_lt=', 'id_gt=', `id_lt=${newId()}&id_gt=${newId()}`, 'kind=', 'kind=zzz', 'kind=poll-vote', 'kind=poll-option', 'kind=pin', `id_lt=${newId().toUpperCase()}`, 'id_lt=00000000-0000-0000-0000-000000000000', 'next=abc']) {
    const r = await test.send('GET', `/api/community/communities/${c.slug}/activities/${a}/reactions?${q}`, { as: m.as });
    log('R', q, r.status, r.status === 200 ? r.body.results.length : r.body.message);
  }
  for (const q of ['count=0', 'count=101', 'count=100', 'offset=10001', 'user.name=%25', 'user.name=_', 'user.name=Person', 'status=zzz', 'user%5Bname%5D=x', 'limit=1']) {
    const r = await test.send('GET', `/api/community/communities/${c.slug}/members?${q}`, { as: m.as });
    log('M', q, r.status, r.status === 200 ? r.body.total : r.body.message);
  }
  const bodies: [string, any][] = [
    ['none', undefined], ['empty', {}], ['null', 'null'], ['array', []], ['str', '"x"'], ['num', '3'], ['nul', { title: 'a\0b' }], ['lone', '{"title":"\\ud800x"}'],
    ['proto', '{"title":"x","__proto__":{"a":1}}'], ['ctor', '{"title":"x","constructor":{"prototype":{"a":1}}}'], ['ad proto', '{"title":"x","additional_data":{"__proto__":{"a":1}}}'],
    ['deep', '{"title":"x","additional_data":' + '{"a":'.repeat(50000) + '1' + '}'.repeat(50000) + '}'], ['deeparr', '{"title":"x","z":' + '['.repeat(200000) + ']'.repeat(200000) + '}'], ['trunc', '{"title":'], ['bom', '\ufeff{"title":"bom"}'],
    ['300', { title: '😀'.repeat(300) }], ['301', { title: '😀'.repeat(301) }], ['sp', { title: '   ' }], ['zw', { title: '\u200b\u200b' }], ['body tags only', { body: '<script>x</script>' }], ['body html comment', { body: '<!-- x -->' }], ['cat', { title: 'x', categories: 'a' }], ['cat dup', { title: 'x', categories: ['a', 'a'] }], ['cat unk', { title: 'x', categories: ['<b>'] }], ['cat null', { title: 'x', categories: null }], ['verb', { title: 'x', verb: 'poll' }], ['verb2', { title: 'x', verb: 'x' }], ['locale', { title: 'x', locale: 'xx' }],
    ['m10', { body: Array.from({ length: 10 }, () => `{{${newId()}}}`).join(' ') }], ['m11', { body: Array.from({ length: 11 }, () => `{{${newId()}}}`).join(' ') }], ['m11 same', { body: `{{${m.id}}}`.repeat(11) + `{{${m.id.toUpperCase()}}}` }], ['mu', { body: 'x', mentioned_users: { [m.id]: {} } }], ['mu2', { body: 'x', mentioned_users: 5 }], ['64k', { body: 'x'.repeat(65536) }], ['64k+', { body: 'x'.repeat(65537) }], ['ad arr', { title: 'x', additional_data: [] }], ['ad big', { title: 'x', additional_data: { a: 'x'.repeat(17000) } }], ['title null', { title: null, body: 'x' }], ['body obj', { body: {} }], ['extra', { title: 'x', id: newId(), actor: 'x', pinned: true, created_at: 1, authorId: newId(), hot: 1e9 }],
  ];
  for (const [name, b] of bodies) {
    const r = await test.send('POST', `/api/community/communities/${c.slug}/activities`, { as: m.as, body: b, headers: { 'content-type': 'application/json' } });
    log('P', name, r.status, r.status < 300 ? { t: String(r.body.title).length, b: String(r.body.body).length, m: r.body.mentioned_users, ad: r.body.additional_data, pinned: r.body.pinned, c: r.body.categories } : [r.body.message, r.body.issues?.[0]?.path]);
  }
  for (const ct of ['text/plain', 'application/x-www-form-urlencoded', ' application/json', 'application/json;charset=utf-8', 'application/json\tx', 'application/JSON', 'application/vnd.api+json', 'multipart/form-data; boundary=x', 'application/json, text/plain', '']) {
    const r = await test.send('POST', `/api/community/communities/${c.slug}/activities`, { as: m.as, body: '{"title":""}', headers: { 'content-type': ct } });
    log('CT', ct, r.status, r.body.message);
  }
  for (const u of ['/api/community/communities/%zz', '/api/community/communities/%00', '/api/community/communities/..%2f', '/api/community/communities//activities', '/api/community/communities/' + 'a'.repeat(300), '/api/community/communities/x/activities/not-a-uuid', `/api/community/communities/${c.slug}/`, `/api/community/communities/${c.slug.toUpperCase()}`]) {
    const r = await test.send('GET', u, { as: m.as });
    log('U', u.slice(0, 60), r.status, r.body.message);
  }
  for (const b of [undefined, {}, [], '"x"', '3', 'null', { a: { b: 1 } }, { x: 'y'.repeat(5000) }]) {
    const poll = await test.call(polls.createPoll, m.as, { body: { title: 'p', options: [{ position: 2, body: 'a' }, { position: 1, body: 'b' }] } });
    const r = await test.send('POST', `/api/community/poll-options/${poll.body.optionIds[0]}/votes`, { as: m.as, body: b, headers: b === undefined ? {} : { 'content-type': 'application/json' } });
    log('V', String(JSON.stringify(b)).slice(0, 30), r.status, r.body.message ?? r.body);
  }
  const pollBodies: [string, any][] = [
    ['1opt', { title: 'p', options: [{ position: 1, body: 'a' }] }], ['6', { title: 'p', options: [1, 2, 3, 4, 5, 5].map((position, i) => ({ position, body: 'a' + i })) }], ['duppos', { title: 'p', options: [{ position: 3, body: 'a' }, { position: 3, body: 'b' }] }], ['dupbody', { title: 'p', options: [{ position: 1, body: 'a' }, { position: 2, body: ' a ' }] }],
    ['pos0', { title: 'p', options: [{ position: 0, body: 'a' }, { position: 3, body: 'b' }] }], ['pos6', { title: 'p', options: [{ position: 6, body: 'a' }, { position: 3, body: 'b' }] }], ['posstr', { title: 'p', options: [{ position: '1', body: 'a' }, { position: 3, body: 'b' }] }], ['100', { title: 'p', options: [{ position: 1, body: '😀'.repeat(100) }, { position: 3, body: 'b' }] }], ['101', { title: 'p', options: [{ position: 1, body: '😀'.repeat(101) }, { position: 3, body: 'b' }] }], ['nowin', { title: 'p', options: [{ position: 1, body: 'a' }, { position: 3, body: 'b' }], settings: { number_of_winners: 0 } }], ['past', { title: 'p', options: [{ position: 1, body: 'a' }, { position: 3, body: 'b' }], settings: { deadline_at: '2020-01-01T00:00:00Z' } }], ['bad', { title: 'p', options: [{ position: 1, body: 'a' }, { position: 3, body: 'b' }], settings: { deadline_at: 'x' } }], ['vis', { title: 'p', options: [{ position: 1, body: 'a' }, { position: 3, body: 'b' }], settings: { results_visibility: 'never' } }], ['notitle', { options: [{ position: 1, body: 'a' }, { position: 3, body: 'b' }] }], ['noopts', { title: 'p' }], ['Adup', { title: 'p', options: [{ position: 1, body: 'A' }, { position: 3, body: 'a' }] }],
  ];
  for (const [name, b] of pollBodies) {
    const r = await test.send('POST', `/api/community/communities/${c.slug}/polls`, { as: m.as, body: b });
    log('POLL', name, r.status, r.body.message, r.body.issues);
  }
}, 60000);

it('xss', async () => {
  const c = await makeCommunity(db);
  const m = await makePerson(test);
  await makeMember(db, c, m, { role: 'owner' });
  let bad = 0;
  for (const x of XSS_CORPUS) {
    const r = await test.call(contract.createActivity, m.as, { params: { slug: c.slug }, body: { title: x.replaceAll('\0', '').toWellFormed() + 't', body: x.replaceAll('\0', '').toWellFormed() + ' t' } });
    if (r.status !== 201) { log('xss', r.status, x, r.body.message); continue; }
    if (/<script|onerror\s*=[^&]*>|<svg|<iframe|href="javascript/i.test(r.body.bodyHtml.replace(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, '')) || /<script|<img|<svg/i.test(r.body.title)) { bad++; log('BAD', x, r.body.title, r.body.bodyHtml); }
  }
  log('bad', bad);
  for (const [n, x] of Object.entries({ brackets: '['.repeat(65000), gt: '>'.repeat(65000), stars: '*a '.repeat(21000), bt: '`a'.repeat(32000), us: '_a*'.repeat(21000), lt: '<a'.repeat(32000), img: '![a]('.repeat(13000), amp: '&'.repeat(65000), nested: '<b>'.repeat(20000), list: '- '.repeat(32000), tbl: '|a'.repeat(10) + '\n' + '|-'.repeat(10) + '\n' + ('|a'.repeat(10) + '\n').repeat(3000), comment: '<!--'.repeat(16000), quote: ('>'.repeat(100) + 'a\n').repeat(600), link: '[a](' .repeat(16000), men: '{{'.repeat(32000), tilde: '~~a'.repeat(21000), linkify: 'http://a.b/('.repeat(5000), ref: '[a]: b\n'.repeat(9000) })) {
    const t0 = performance.now();
    const r = await test.call(contract.createActivity, m.as, { params: { slug: c.slug }, body: { body: x } });
    log('T', n, r.status, Math.round(performance.now() - t0), r.status === 201 ? r.body.bodyHtml.length : r.body.message);
  }
}, 120000);
