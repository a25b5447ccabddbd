import { takeSeat } from '#server/areas/events/registration.repository.ts';
import type { Ctx } from '../ctx.ts';
import { type DemoPeople, personOf } from './people.ts';

/** In the order in which they register; the event has two seats. */
const WALKERS = ['carmen', 'youssef', 'learner'];

/** Fills the small event of the demo and its waiting list. */
export async function ensureSeats({ db }: Ctx, people: DemoPeople): Promise<void> {
  const session = await db
    .selectFrom('event_sessions as s')
    .innerJoin('editorials as e', 'e.id', 's.event_id')
    .select('s.id')
    .where('e.slug', '=', 'walk-a-closed-street')
    .executeTakeFirst();
  if (session) for (const walker of WALKERS) await takeSeat(db, session.id, personOf(people, walker).id);
}
