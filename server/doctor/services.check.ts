import type { Config } from '#server/config.ts';
import { BadAnswer, fetchJson, type JsonRequest } from '#server/outside/json-fetch.ts';
import { advice, explainConnection, type Diagnosis, right, wrong } from './diagnosis.ts';

const ANSWER_MS = 8_000;
const MAX_BYTES = 4 * 1024 * 1024;
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';

type Service = { about: string; key: string; missing: string };

/** Asks a service for something small; a failure becomes a finding. */
async function ask(
  url: string,
  { about, key, missing }: Service,
  request: Partial<JsonRequest> = {},
): Promise<{ answer: unknown } | { finding: Diagnosis }> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    return { answer: await fetchJson(new URL(url), { signal, maxBytes: MAX_BYTES, ...request }) };
  } catch (error) {
    if (!(error instanceof BadAnswer)) {
      const { reason, remedy } = explainConnection(error, about);
      return { finding: wrong(about, reason, remedy) };
    }
    const status = error.response?.status;
    if (status === 401 || status === 403)
      return { finding: wrong(key, `the service refuses it (${status})`, `Correct ${key}, or its rights.`) };
    if (status === 404) return { finding: wrong(about, `the service answers 404: ${missing}`, `Correct ${about}.`) };
    if (status === 429)
      return { finding: advice(about, 'the service asks for patience (429)', 'Look at your quota there.') };
    return { finding: wrong(about, `the service answers wrongly: ${error.message}`, `Check ${about}.`) };
  }
}

/** Checks the language model, translation, the content platform and payments. */
export async function checkServices(config: Config): Promise<Diagnosis[]> {
  const checks = [checkModel(config), checkTranslation(config), checkContent(config), checkPayments(config)];
  return (await Promise.all(checks)).flat();
}

async function checkModel({ ai }: Config): Promise<Diagnosis[]> {
  if (!ai) return [];
  const names = [...new Set(Object.values(ai.models))];
  if (ai.kind === 'google') {
    const headers = { 'x-goog-api-key': ai.apiKey ?? '' };
    const service = { about: 'AI_MODEL_FAST', key: 'AI_API_KEY', missing: 'there is no such model' };
    for (const name of names) {
      const reply = await ask(`${ai.baseUrl ?? GOOGLE}/models/${name}`, service, { headers });
      if ('finding' in reply) return [reply.finding];
    }
    return [right('AI_PROVIDER', `offers ${names.join(', ')}`)];
  }
  const service = { about: 'AI_BASE_URL', key: 'AI_API_KEY', missing: 'it has no list of models' };
  const reply = await ask(`${ai.baseUrl}/models`, service, ai.apiKey === undefined ? {} : { token: ai.apiKey });
  if ('finding' in reply) return [reply.finding];
  return [judgeModels(reply.answer, names)];
}

function judgeModels(answer: unknown, names: readonly string[]): Diagnosis {
  const { data } = Object(answer) as { data?: unknown };
  if (!Array.isArray(data)) return advice('AI_BASE_URL', 'answers without a list of models', 'Does it end with /v1?');
  const offered = new Set(data.map((model: unknown) => (Object(model) as { id?: unknown }).id));
  const missing = names.filter((name) => !offered.has(name));
  return missing.length > 0
    ? wrong('AI_MODEL_FAST', `the provider has no model ${missing.join(', ')}`, 'Name a model from its list.')
    : right('AI_PROVIDER', `offers ${names.join(', ')}`);
}

async function checkTranslation({ translation }: Config): Promise<Diagnosis[]> {
  if (translation?.provider !== 'apertium') return [];
  const about = 'APERTIUM_URL';
  const reply = await ask(`${translation.url}/listPairs`, { about, key: about, missing: 'it is no Apertium' });
  if ('finding' in reply) return [reply.finding];
  const { responseData } = Object(reply.answer) as { responseData?: unknown };
  return Array.isArray(responseData) && responseData.length > 0
    ? [right(about, `offers ${responseData.length} pairs of languages`)]
    : [wrong(about, 'has no pair of languages', 'Install pairs, such as apertium-eng-spa.')];
}

async function checkContent({ contentPlatform }: Config): Promise<Diagnosis[]> {
  if (!contentPlatform) return [];
  const { space, environment, host, token } = contentPlatform;
  const service = { about: 'CONTENT_SPACE', key: 'CONTENT_TOKEN', missing: 'no such space or environment' };
  const reply = await ask(`${host}/spaces/${space}/environments/${environment}/locales`, service, { token });
  return 'finding' in reply ? [reply.finding] : [right('CONTENT_SPACE', `the space ${space} can be read`)];
}

async function checkPayments({ payments, isLocal }: Config): Promise<Diagnosis[]> {
  if (!payments) return [];
  const about = 'STRIPE_SECRET_KEY';
  const service = { about, key: about, missing: 'it is not Stripe' };
  const url = `${payments.apiHost}/v1/checkout/sessions?limit=1`;
  const reply = await ask(url, service, { token: payments.secretKey });
  if ('finding' in reply) return [reply.finding];
  if (!isLocal && /^[sr]k_test_/.test(payments.secretKey))
    return [advice(about, 'is a key for tests: nobody pays', 'Use the live key before you sell.')];
  return [right(about, 'Stripe accepts it')];
}
