import type { LanguageModel as Model } from 'ai';
import { z } from 'zod';
import { type Circuit, createCircuit } from './circuit.ts';
import { modelFetch, TooLarge } from './model-fetch.ts';

export type ModelProvider = {
  kind: 'google' | 'openai-compatible';
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** Names of the models, as the provider knows them. */
  models: Record<ModelSize, string>;
};
export type ModelSize = 'fast' | 'pro';
export type Usage = { inputTokens: number; outputTokens: number };

/** About what a text costs; more rather than less. */
export const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);

export type ModelTask = {
  model: ModelSize;
  /** What is to be done; only our own words. */
  system: string;
  /** What it is to be done with; words of others, delimited as data. */
  prompt: string;
  temperature?: number;
  maxOutputTokens: number;
  signal?: AbortSignal;
  /** What the provider counted, also of an answer that is of no use; not called when it said nothing. */
  onUsage?(usage: Usage): void;
};

/** A model outside that answers in words. What it answers is not to be trusted; it has no tools. */
export type LanguageModel = {
  answerText(task: ModelTask): Promise<string>;
  /** An answer of this form. */
  answerObject<T extends z.ZodType>(task: ModelTask & { schema: T }): Promise<z.output<T>>;
  /** A list, each piece of which comes as soon as it is whole and has this form. */
  answerList<T extends z.ZodType>(task: ModelTask & { item: T }): AsyncGenerator<z.output<T>, void, void>;
};

/**
 * `timeout` it took too long, `refused` it said no or was not reached, `malformed` not of the form asked for,
 * `too_large`, `open` it failed so often that it is left alone for a while, `busy` too many calls are under way here,
 * `cancelled` by the caller.
 */
export type ModelFault = 'timeout' | 'refused' | 'malformed' | 'too_large' | 'open' | 'busy' | 'cancelled';

/** The model has no answer. Says nothing of what was sent or received, which may hold a key or somebody's words. */
export class ModelUnavailable extends Error {
  readonly reason: ModelFault;
  constructor(reason: ModelFault, detail?: string) {
    super(`the language model is unavailable: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.name = 'ModelUnavailable';
    this.reason = reason;
  }
}

export type ModelLimits = { totalMs: number; failures: number; pauseMs: number; atOnce: number };
const LIMITS: ModelLimits = { totalMs: 25_000, failures: 5, pauseMs: 30_000, atOnce: 50 };

type Sdk = { ai: typeof import('ai'); open(model: string, fetch: typeof globalThis.fetch): Model };

/** The packages are large, and most installations have no provider. */
async function loadSdk({ kind, baseUrl, apiKey }: ModelProvider): Promise<Sdk> {
  const ai = await import('ai');
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }); // they would be lines that are not JSON
  if (kind === 'google') {
    const { createGoogle } = await import('@ai-sdk/google');
    return { ai, open: (model, fetch) => createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch })(model) };
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const settings = { name: 'provider', baseURL: baseUrl ?? '', apiKey, includeUsage: true };
  return {
    ai,
    open: (model, fetch) => createOpenAICompatible({ ...settings, fetch, supportsStructuredOutputs: true })(model),
  };
}

/** One call: what ends it, and why it ended. */
function begin(task: ModelTask, totalMs: number) {
  const timeout = AbortSignal.timeout(totalMs);
  const own = new AbortController();
  let tooLarge = false;
  const signal = AbortSignal.any([timeout, own.signal, ...(task.signal ? [task.signal] : [])]);
  const fetch = modelFetch({
    onTooLarge(error) {
      tooLarge = true;
      own.abort(error);
    },
  });
  function faultOf(error: unknown): ModelUnavailable {
    if (error instanceof ModelUnavailable) return error;
    if (tooLarge || error instanceof TooLarge) return new ModelUnavailable('too_large');
    if (task.signal?.aborted) return new ModelUnavailable('cancelled');
    if (timeout.aborted) return new ModelUnavailable('timeout');
    const { name, statusCode } = (error ?? {}) as { name?: string; statusCode?: number }; // as the packages have it
    if (statusCode !== undefined && statusCode >= 300) return new ModelUnavailable('refused', `status ${statusCode}`);
    if (/JSONParse|TypeValidation|NoObject|NoOutput|NoContent|InvalidResponse|EmptyResponse/.test(name ?? ''))
      return new ModelUnavailable('malformed');
    // A status below 300 with an error: the body was not what the provider's interface says.
    return statusCode === undefined ? new ModelUnavailable('refused', name) : new ModelUnavailable('malformed');
  }
  return { signal, fetch, faultOf, abort: () => own.abort() };
}

function note(task: ModelTask, usage: { inputTokens?: number | undefined; outputTokens?: number | undefined }): void {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
  task.onUsage?.({ inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 });
}

/** Told in words as well, for providers that know only that the answer is JSON. */
function withForm(system: string, schema: z.ZodType): string {
  return `${system}\n\nAnswer with JSON alone, which conforms to this JSON Schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;
}

/** Asks a provider; every call ends within 25 s, and a provider that failed five times in a row is left alone for 30 s. */
export function openLanguageModel(provider: ModelProvider, limits: Partial<ModelLimits> = {}): LanguageModel {
  const { totalMs, atOnce, failures, pauseMs } = { ...LIMITS, ...limits };
  const circuit: Circuit = createCircuit({ failures, pauseMs, now: () => performance.now() });
  let sdk: Promise<Sdk> | undefined;
  let underWay = 0;

  function enter(): void {
    if (underWay >= atOnce) throw new ModelUnavailable('busy');
    if (!circuit.admits()) throw new ModelUnavailable('open');
    underWay += 1;
  }
  function leave(fault: ModelUnavailable | undefined): void {
    underWay -= 1;
    if (!fault) circuit.succeeded();
    else if (fault.reason === 'cancelled') circuit.ended();
    else circuit.failed();
  }
  const settingsOf = ({ system, prompt, temperature, maxOutputTokens }: ModelTask, signal: AbortSignal) => ({
    instructions: system,
    prompt,
    ...(temperature === undefined ? {} : { temperature }),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
  });

  async function answer<T>(
    task: ModelTask,
    work: (sdk: Sdk, model: Model, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    enter();
    const { signal, fetch, faultOf } = begin(task, totalMs);
    try {
      const loaded = await (sdk ??= loadSdk(provider));
      const result = await work(loaded, loaded.open(provider.models[task.model], fetch), signal);
      leave(undefined);
      return result;
    } catch (error) {
      const fault = faultOf(error);
      leave(fault);
      throw fault;
    }
  }

  return {
    answerText: (task) =>
      answer(task, async ({ ai }, model, signal) => {
        const { text, usage } = await ai.generateText({ model, ...settingsOf(task, signal) });
        note(task, usage);
        if (text.trim() === '') throw new ModelUnavailable('malformed');
        return text;
      }),

    answerObject: ({ schema, ...task }) =>
      answer(task, async ({ ai }, model, signal) => {
        const settings = settingsOf({ ...task, system: withForm(task.system, schema) }, signal);
        const result = await ai.generateText({ model, ...settings, output: ai.Output.object({ schema }) });
        note(task, result.usage);
        const parsed = schema.safeParse(result.output);
        if (!parsed.success) throw new ModelUnavailable('malformed');
        return parsed.data;
      }),

    async *answerList({ item, ...task }) {
      enter();
      const { signal, fetch, faultOf, abort } = begin(task, totalMs);
      let fault: ModelUnavailable | undefined = new ModelUnavailable('cancelled'); // when nobody reads on
      try {
        const { ai, open } = await (sdk ??= loadSdk(provider));
        const system = withForm(task.system, z.object({ elements: z.array(item) }));
        let failure: unknown;
        const result = ai.streamText({
          model: open(provider.models[task.model], fetch),
          ...settingsOf({ ...task, system }, signal),
          output: ai.Output.array({ element: item }),
          onError: ({ error }) => void (failure ??= error),
        });
        for await (const element of result.elementStream) {
          const parsed = item.safeParse(element);
          if (!parsed.success) throw new ModelUnavailable('malformed');
          yield parsed.data;
        }
        if (failure !== undefined) throw failure;
        if (signal.aborted) throw signal.reason;
        note(task, await result.usage);
        await result.output; // throws when what came is not whole
        fault = undefined;
      } catch (error) {
        fault = faultOf(error);
        throw fault;
      } finally {
        abort();
        leave(fault);
      }
    },
  };
}
