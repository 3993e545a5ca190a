import type { ChatCodePurpose } from '@shop/shared/chat/chat.ts'
import { makeChatCode } from '@shop/shared/chat/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useClient } from '../account/session.tsx'

/** Makes codes that link a person or a group in LINE. */
export function useCode(purpose: ChatCodePurpose) {
  const client = useClient()
  return useMutation({ mutationFn: () => client.call(makeChatCode, { body: { purpose } }) })
}
