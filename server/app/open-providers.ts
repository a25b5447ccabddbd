import type { Config } from '#server/config.ts';
import type { Ctx } from '#server/ctx.ts';
import { openTranslation } from './open-translation.ts';

/** The configured outside providers. Their packages are imported only where they are used. */
export async function openProviders(
  config: Config,
): Promise<Pick<Ctx, 'languageModel' | 'paymentProvider' | 'translation'>> {
  const languageModel = config.ai && (await import('#server/outside/language-model.ts')).openLanguageModel(config.ai);
  const paymentProvider =
    config.payments && (await import('#server/outside/payment-provider.ts')).openPaymentProvider(config.payments);
  const translation = openTranslation(config, languageModel);
  return {
    ...(languageModel && { languageModel }),
    ...(paymentProvider && { paymentProvider }),
    ...(translation && { translation }),
  };
}
