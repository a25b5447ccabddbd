import { sql } from 'kysely';
import { insertActivity } from '#server/areas/community/posts/activity.repository.ts';
import { insertPoll } from '#server/areas/community/polls/poll.repository.ts';
import { castVote } from '#server/areas/community/polls/vote.repository.ts';
import type { Ctx } from '../ctx.ts';
import { type Db, newId } from '../db/client.ts';
import { makeActivity, makeMember, makeReaction } from '../test/factories/communities.ts';
import { type DemoPeople, personOf } from './people.ts';
import { type DemoConversation, type DemoReply, readConversations } from './read.ts';

const HOUR_MS = 3600_000;
type Community = { id: string; slug: string };

/** Adds the demo's members. The content folder already added the owners. */
export async function ensureMembers(ctx: Ctx, people: DemoPeople): Promise<void> {
  const communities = await findCommunities(ctx.db);
  const { rows } = await sql<{
    key: string;
  }>`select community_id || ' ' || user_id as key from community_members`.execute(ctx.db);
  const known = new Set(rows.map((row) => row.key));
  let daysAgo = 80;
  for (const { person, viewer } of people.values()) {
    daysAgo -= 2;
    const joinedAt = new Date(ctx.clock.now().getTime() - daysAgo * 24 * HOUR_MS);
    for (const slug of person.communities) {
      const community = communityOf(communities, slug);
      if (!known.has(`${community.id} ${viewer.id}`)) await makeMember(ctx.db, community, viewer, { joinedAt });
    }
  }
}

async function findCommunities(db: Db): Promise<Map<string, Community>> {
  const rows = await db.selectFrom('communities').select(['id', 'slug']).execute();
  return new Map(rows.map((row) => [row.slug, row]));
}

function communityOf(communities: Map<string, Community>, slug: string): Community {
  const community = communities.get(slug);
  if (!community) throw new Error(`The demo names the community ${slug}, which does not exist`);
  return community;
}

/** Creates the demo's conversations with past dates. Skips conversations that exist. */
export async function ensureConversations(ctx: Ctx, people: DemoPeople): Promise<void> {
  const communities = await findCommunities(ctx.db);
  const { rows } = await sql<{ key: string }>`
    select community_id || ' ' || author_id || ' ' || title as key from activities where title is not null`.execute(
    ctx.db,
  );
  const known = new Set(rows.map((row) => row.key));
  for (const conversation of await readConversations()) {
    const community = communityOf(communities, conversation.community);
    const author = personOf(people, conversation.author);
    if (known.has(`${community.id} ${author.id} ${conversation.title}`)) continue;
    await new ConversationWriter(ctx, people, community).write(conversation);
  }
}

/** Creates one conversation with its replies, votes and reactions. */
class ConversationWriter {
  readonly #ctx: Ctx;
  readonly #people: DemoPeople;
  readonly #community: Community;

  constructor(ctx: Ctx, people: DemoPeople, community: Community) {
    this.#ctx = ctx;
    this.#people = people;
    this.#community = community;
  }

  async write(conversation: DemoConversation): Promise<void> {
    const { db } = this.#ctx;
    const author = this.#person(conversation.author);
    const activityId = conversation.poll
      ? await this.#poll(conversation, conversation.poll)
      : await makeActivity(db, this.#community, author, {
          title: conversation.title,
          body: this.#named(conversation.body ?? ''),
          categories: conversation.categories,
          locale: conversation.locale,
          createdAt: this.#at(conversation.hoursAgo),
        });
    if (conversation.pinned)
      await makeReaction(db, this.#community, { activityId }, author, {
        kind: 'pin',
        createdAt: this.#at(conversation.hoursAgo),
      });
    await this.#likes({ activityId }, conversation);
    for (const reply of conversation.replies) await this.#reply({ activityId }, reply);
  }

  async #poll(conversation: DemoConversation, poll: NonNullable<DemoConversation['poll']>): Promise<string> {
    const { db } = this.#ctx;
    const createdAt = this.#at(conversation.hoursAgo);
    const id = await insertActivity(db, {
      communityId: this.#community.id,
      authorId: this.#person(conversation.author).id,
      verb: 'poll',
      title: conversation.title,
      body: null,
      bodyHtml: null,
      locale: conversation.locale,
      categories: conversation.categories,
      createdAt,
    });
    const { settings } = poll;
    const options = poll.options.map((body, index) => ({ id: newId(createdAt), position: index + 1, body }));
    await insertPoll(db, {
      id,
      allowMultipleVotes: settings.allow_multiple_votes,
      deadlineAt: null,
      hideParticipants: settings.hide_participants,
      numberOfWinners: settings.number_of_winners,
      resultsVisibility: settings.results_visibility,
      options,
    });
    for (const [key, choices] of Object.entries(poll.votes))
      for (const choice of choices) {
        const option = options[choice];
        if (!option) throw new Error(`The demo poll ${conversation.title} has no option ${choice}`);
        await castVote(db, { id: newId(), optionId: option.id, userId: this.#person(key).id, detail: {} });
      }
    // Set after voting: a closed poll takes no votes.
    await sql`update polls set deadline_at = ${this.#at(-settings.deadlineInHours)} where id = ${id}`.execute(db);
    return id;
  }

  async #reply(target: { activityId: string } | { reactionId: string }, reply: DemoReply): Promise<void> {
    const reactionId = await makeReaction(this.#ctx.db, this.#community, target, this.#person(reply.author), {
      body: this.#named(reply.body),
      locale: reply.locale,
      createdAt: this.#at(reply.hoursAgo),
    });
    await this.#likes({ reactionId }, reply);
    for (const child of reply.replies) await this.#reply({ reactionId }, child);
  }

  /** Spreads the likes over the time since the text was posted. */
  async #likes(
    target: { activityId: string } | { reactionId: string },
    { likes, hoursAgo }: { likes: string[]; hoursAgo: number },
  ): Promise<void> {
    for (const [index, key] of likes.entries()) {
      const createdAt = this.#at(hoursAgo * (1 - (index + 1) / (likes.length + 6)));
      await makeReaction(this.#ctx.db, this.#community, target, this.#person(key), { kind: 'like', createdAt });
    }
  }

  #person(key: string) {
    return personOf(this.#people, key);
  }

  #at(hoursAgo: number): Date {
    return new Date(this.#ctx.clock.now().getTime() - hoursAgo * HOUR_MS);
  }

  #named(body: string): string {
    return body.replace(/\{\{person:([a-z]+)\}\}/g, (_, key: string) => `{{${this.#person(key).id}}}`);
  }
}
