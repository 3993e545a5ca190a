import { type Agent, setAgentStatus } from '@shop/shared/agent/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { useReloadAgents } from './use-reload-agents.ts'

/** Switches an agent on or off. Switching off asks first, because it ends their sessions. */
export function useAgentStatus() {
  const client = useClient()
  const reload = useReloadAgents()
  const { message, modal } = App.useApp()
  const change = useMutation({
    mutationFn: ({ uid, isActived }: Agent) => client.call(setAgentStatus, { body: { uid, isActived: !isActived } }),
    onSuccess: async (_, { name, isActived }) => {
      message.success(`${isActived ? 'ปิดใช้งาน' : 'เปิดใช้งาน'} ${name} แล้ว`)
      await reload()
    },
    onError: error => message.error({ content: `บันทึกไม่สำเร็จ ${messageOf(error)}`, duration: 6 }),
  })
  return {
    busyUid: change.isPending ? change.variables.uid : null,
    ask: (agent: Agent) => {
      if (!agent.isActived) return change.mutate(agent)
      modal.confirm({
        title: `ปิดใช้งาน ${agent.name}?`,
        content: 'ตัวแทนจะออกจากระบบทุกเครื่องทันที และสั่งซื้อไม่ได้จนกว่าจะเปิดใช้งานอีกครั้ง คีย์ API ถูกยกเลิก ต้องสร้างใหม่หลังเปิดใช้งาน',
        okText: 'ปิดใช้งาน',
        okButtonProps: { danger: true },
        cancelText: 'ยกเลิก',
        onOk: () => change.mutate(agent),
      })
    },
  }
}
