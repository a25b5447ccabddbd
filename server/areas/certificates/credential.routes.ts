import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { takeAddressLimit } from '#server/limits/limits.ts';
import { listCredentialKeys, readBadge, readCredential, readStatusList } from './credential.service.ts';
import { STATUS_LIST_TTL_MS, toProfile } from './credential.view.ts';
import { issuerOf } from './issuer.view.ts';

const PUBLIC_LIMIT = { max: 120, windowSeconds: 60 };
const MAX_LIST = 99_999;

type OfCertificate = FastifyRequest<{ Params: { publicId: string } }>;

/**
 * Documents that wallets and verifiers fetch, also from other sites: credentials, badges, keys, issuer and status
 * lists. They follow external standards, so they are outside /api.
 */
export function credentialRoutes(app: FastifyInstance, root: Ctx): void {
  const limit = async (request: FastifyRequest) =>
    void (await takeAddressLimit(root, 'credential', request.ip, PUBLIC_LIMIT));
  const open = (reply: FastifyReply, maxAgeSeconds: number) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', `public, max-age=${maxAgeSeconds}`);

  app.get('/certificates/:publicId(^[0-9a-fA-F]{32}).jwt', async (request: OfCertificate, reply) => {
    await limit(request);
    const { row, jwt } = await readCredential(root, request.params.publicId);
    return open(reply, 60)
      .header('content-type', 'application/vc+jwt')
      .header('content-disposition', `attachment; filename="credential-${row.public_id}.jwt"`)
      .send(jwt);
  });

  app.get('/certificates/:publicId(^[0-9a-fA-F]{32}).svg', async (request: OfCertificate, reply) => {
    await limit(request);
    const { row, svg } = await readBadge(root, request.params.publicId);
    return open(reply, 60)
      .header('content-type', 'image/svg+xml; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', `inline; filename="badge-${row.public_id}.svg"`)
      .send(svg);
  });

  app.get('/credentials/issuer', async (request, reply) => {
    await limit(request);
    return open(reply, 3600).send(toProfile(issuerOf(root)));
  });

  app.get('/credentials/keys', async (request, reply) => {
    await limit(request);
    const keys = await listCredentialKeys(root);
    return open(reply, 300).header('content-type', 'application/jwk-set+json').send({ keys });
  });

  app.get<{ Params: { kid: string } }>('/credentials/keys/:kid', async (request, reply) => {
    await limit(request);
    const key = (await listCredentialKeys(root)).find(({ kid }) => kid === request.params.kid);
    if (!key) throw notFound();
    return open(reply, 3600).header('content-type', 'application/jwk+json').send(key);
  });

  app.get<{ Params: { list: string } }>('/credentials/status/:list(^\\d{1,6}$)', async (request, reply) => {
    await limit(request);
    const list = Number(request.params.list);
    if (list > MAX_LIST) throw notFound();
    const jwt = await readStatusList(root, list);
    return open(reply, STATUS_LIST_TTL_MS / 1000)
      .header('content-type', 'application/vc+jwt')
      .send(jwt);
  });
}
