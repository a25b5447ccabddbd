import type { LanguageModel as Model } from 'ai';
import { z } from 'zod';
import { type Circuit, createCircuit } from './circuit.ts';
import { modelFetch, TooLarge } from './model-fetch.ts';

export type ModelProvider = {
  kind: 'google' | 'openai-compatible';
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** Model names of the provider. */
  models: Record<ModelSize, string>;
};
export type ModelSize = 'fast' | 'pro';
export type Usage = { inputTokens: number; outputTokens: number };

/** Estimates the tokens of a text, erring on the high side. */
export const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);

export type ModelTask = {
  model: ModelSize;
  /** The instructions. Must contain only our own text. */
  system: string;
  /** The input. May contain user text, delimited as data. */
  prompt: string;
  temperature?: number;
  maxOutputTokens: number;
  signal?: AbortSignal;
  /** Reports the provider's token count, also for unusable answers. Not called when the provider sent none. */
  onUsage?(usage: Usage): void;
};

/** An external language model without tools. Do not trust its answers. */
export type LanguageModel = {
  answerText(task: ModelTask): Promise<string>;
  /** Returns an answer that matches the schema. */
  answerObject<T extends z.ZodType>(task: ModelTask & { schema: T }): Promise<z.output<T>>;
  /** Streams a list; yields each item once it is complete and matches the schema. */
  answerList<T extends z.ZodType>(task: ModelTask & { item: T }): AsyncGenerator<z.output<T>, void, void>;
};

/**
 * `timeout`: took too long. `refused`: error status or unreachable. `malformed`: does not match the schema.
 * `too_large`: over the size limit. `open`: circuit open after failures. `busy`: too many concurrent calls.
 * `cancelled`: by the caller.
 */
export type ModelFault = 'timeout' | 'refused' | 'malformed' | 'too_large' | 'open' | 'busy' | 'cancelled';

/**
 * The model gave no usable answer. Contains nothing that was sent or received, as that may include a key or user text.
 */
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

/** Imports the packages on first use: they are large, and most installations have no provider. */
async function loadSdk({ kind, baseUrl, apiKey }: ModelProvider): Promise<Sdk> {
  const ai = await import('ai');
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }); // its warnings would be log lines that are not JSON
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

/** Prepares one call: its abort signal, its fetch and the mapping of errors. */
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
    const { name, statusCode } = (error ?? {}) as { name?: string; statusCode?: number }; // set by the SDK's errors
    if (statusCode !== undefined && statusCode >= 300) return new ModelUnavailable('refused', `status ${statusCode}`);
    if (/JSONParse|TypeValidation|NoObject|NoOutput|NoContent|InvalidResponse|EmptyResponse/.test(name ?? ''))
      return new ModelUnavailable('malformed');
    // An error with a status below 300 means that the body did not match the provider's API.
    return statusCode === undefined ? new ModelUnavailable('refused', name) : new ModelUnavailable('malformed');
  }
  return { signal, fetch, faultOf, abort: () => own.abort() };
}

function note(task: ModelTask, usage: { inputTokens?: number | undefined; outputTokens?: number | undefined }): void {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
  task.onUsage?.({ inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 });
}

/** Adds the schema to the instructions, for providers that support JSON output but no schema. */
function withSchema(system: string, schema: z.ZodType): string {
  return `${system}\n\nAnswer with JSON alone, which conforms to this JSON Schema:\n${JSON.stringify(z.toJSONSchema(schema))}`;
}

/** Admits calls: at most `atOnce`, and none while the circuit is open. */
function createGate({ atOnce, failures, pauseMs }: Omit<ModelLimits, 'totalMs'>) {
  const circuit: Circuit = createCircuit({ failures, pauseMs, now: () => performance.now() });
  let running = 0;
  return {
    enter(): void {
      if (running >= atOnce) throw new ModelUnavailable('busy');
      if (!circuit.admits()) throw new ModelUnavailable('open');
      running += 1;
    },
    leave(fault: ModelUnavailable | undefined): void {
      running -= 1;
      if (!fault) circuit.succeeded();
      else if (fault.reason === 'cancelled') circuit.ended();
      else circuit.failed();
    },
  };
}

function settingsOf({ system, prompt, temperature, maxOutputTokens }: ModelTask, signal: AbortSignal) {
  return {
    instructions: system,
    prompt,
    ...(temperature === undefined ? {} : { temperature }),
    maxOutputTokens,
    maxRetries: 0,
    abortSignal: signal,
  };
}

/** Streams the items of one answer; throws when the answer as a whole is unusable. */
async function* streamItems<T extends z.ZodType>(
  { ai }: Sdk,
  model: Model,
  { item, ...task }: ModelTask & { item: T },
  signal: AbortSignal,
): AsyncGenerator<z.output<T>, void, void> {
  const system = withSchema(task.system, z.object({ elements: z.array(item) }));
  let failure: unknown;
  const result = ai.streamText({
    model,
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
  await result.output; // throws when the output is incomplete
}

/** Opens a model of a provider. Calls time out after 25 s; after five failures in a row the circuit opens for 30 s. */
export function openLanguageModel(provider: ModelProvider, limits: Partial<ModelLimits> = {}): LanguageModel {
  const { totalMs, ...admission } = { ...LIMITS, ...limits };
  const gate = createGate(admission);
  let sdk: Promise<Sdk> | undefined;

  async function answer<T>(
    task: ModelTask,
    work: (sdk: Sdk, model: Model, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    gate.enter();
    const { signal, fetch, faultOf } = begin(task, totalMs);
    try {
      const loaded = await (sdk ??= loadSdk(provider));
      const result = await work(loaded, loaded.open(provider.models[task.model], fetch), signal);
      gate.leave(undefined);
      return result;
    } catch (error) {
      const fault = faultOf(error);
      gate.leave(fault);
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
        const settings = settingsOf({ ...task, system: withSchema(task.system, schema) }, signal);
        const result = await ai.generateText({ model, ...settings, output: ai.Output.object({ schema }) });
        note(task, result.usage);
        const parsed = schema.safeParse(result.output);
        if (!parsed.success) throw new ModelUnavailable('malformed');
        return parsed.data;
      }),

    async *answerList(task) {
      gate.enter();
      const { signal, fetch, faultOf, abort } = begin(task, totalMs);
      let fault: ModelUnavailable | undefined = new ModelUnavailable('cancelled'); // if the consumer stops reading
      try {
        const loaded = await (sdk ??= loadSdk(provider));
        yield* streamItems(loaded, loaded.open(provider.models[task.model], fetch), task, signal);
        fault = undefined;
      } catch (error) {
        fault = faultOf(error);
        throw fault;
      } finally {
        abort();
        gate.leave(fault);
      }
    },
  };
}
