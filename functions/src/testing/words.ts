import type { EndpointInput, EndpointShape } from '@shop/shared/endpoint.ts'
import { giveSecondWord } from '@shop/shared/value/endpoints.ts'
import { failureOf } from './catalogue.ts'
import type { TestCaller, TestShop } from './shop.ts'

/** The id of the question that a call leads to; crashes where it needs nobody's second word. */
export async function wordOf<E extends EndpointShape>(
  caller: TestCaller,
  endpoint: E,
  input: EndpointInput<E>,
): Promise<string> {
  const failure = await failureOf(caller, endpoint, input)
  if (failure.code !== 'SECOND_WORD_NEEDED') throw failure
  return failure.details!.secondWordId as string
}

/** Gives the word, in the name of another person. */
export const giveWord = (it: TestShop, uid: string, id: string) => it.as(uid).call(giveSecondWord, { params: { id } })
