import { createCustomToken, type LineProof } from '@shop/shared/account/endpoints.ts'
import { api } from '../api.ts'

/** Lets our server check what LINE has signed, and signs in to Firebase with the token that it gives in return. */
export async function exchangeProof(
  proof: LineProof,
  firebase: Pick<typeof import('../firebase.ts'), 'signInWithToken'>,
): Promise<void> {
  const { firebaseToken } = await api.call(createCustomToken, { body: proof })
  await firebase.signInWithToken(firebaseToken)
}
