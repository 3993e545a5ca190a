import { createCustomToken, type LineProof } from '@shop/shared/account/endpoints.ts'
import { api } from '../api.ts'

/** Our server checks what LINE signed and vouches for the person to the identity provider. */
export async function exchangeProof(
  proof: LineProof,
  firebase: Pick<typeof import('../firebase.ts'), 'signInWithToken'>,
): Promise<void> {
  const { firebaseToken } = await api.call(createCustomToken, { body: proof })
  await firebase.signInWithToken(firebaseToken)
}
