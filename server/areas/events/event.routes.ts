import { Readable } from 'node:stream';
import * as contract from '@officium/contract/events';
import type { FastifyInstance } from 'fastify';
import { administrators, everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { type CalendarFile, listOwn, listSeen, makeCalendar, readSeen } from './event.service.ts';
import * as feed from './feed.service.ts';
import * as registrations from './registration.service.ts';

function toFile({ calendar, name }: CalendarFile): FileReply {
  const bytes = Buffer.from(calendar);
  return new FileReply({ content: Readable.from([bytes]), bytes: bytes.length, name });
}

export function eventRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.listEvents, {
    policy: everyone,
    handle: async ({ ctx, viewer, query, locale }) => await listSeen(ctx, { viewer, locale }, query),
  });
  implement(app, ctx, contract.readEvent, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) => await readSeen(ctx, { viewer, locale }, params.slug),
  });
  implement(app, ctx, contract.downloadEventCalendar, {
    policy: everyone,
    handle: async ({ ctx, viewer, params, locale }) => toFile(await makeCalendar(ctx, { viewer, locale }, params.slug)),
  });
  implement(app, ctx, contract.listMySessions, {
    policy: people,
    handle: async ({ ctx, viewer, query, locale }) => await listOwn(ctx, viewer, locale, query),
  });
  seatRoutes(app, ctx);
  feedRoutes(app, ctx);
}

function seatRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.registerForSession, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => await registrations.register(ctx, viewer, params.id),
  });
  implement(app, ctx, contract.leaveSession, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      await registrations.leave(ctx, viewer, params.id);
      return undefined;
    },
  });
  implement(app, ctx, contract.listSessionRegistrations, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, query }) =>
      await registrations.listRegistrations(ctx, viewer, params.id, query),
  });
  implement(app, ctx, contract.setAttendance, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, body }) => {
      const { id: sessionId, userId } = params;
      await registrations.setAttendance(ctx, viewer, { sessionId, userId, attended: body.attended });
      return undefined;
    },
  });
  implement(app, ctx, contract.updateSession, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, body }) => {
      await registrations.change(ctx, viewer, params.id, body);
      return undefined;
    },
  });
}

function feedRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.readCalendarFeedState, {
    policy: people,
    handle: async ({ ctx, viewer }) => await feed.readState(ctx, viewer),
  });
  implement(app, ctx, contract.createCalendarFeed, {
    policy: people,
    handle: async ({ ctx, viewer }) => await feed.create(ctx, viewer),
  });
  implement(app, ctx, contract.deleteCalendarFeed, {
    policy: people,
    handle: async ({ ctx, viewer }) => {
      await feed.remove(ctx, viewer);
      return undefined;
    },
  });
  implement(app, ctx, contract.downloadCalendarFeed, {
    policy: everyone,
    limitByAddress: { max: 120, windowSeconds: 60 },
    handle: async ({ ctx, query }) => toFile(await feed.readFeed(ctx, query.token)),
  });
}
