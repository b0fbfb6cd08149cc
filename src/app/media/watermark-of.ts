import type { ReceiptTask } from '../../ports/receipts.ts'

/** Returns what the client asked for about the vendor's mark; null: nothing. */
export function watermarkOf(task: Pick<ReceiptTask, 'ordered'> | undefined): boolean | null {
  if (task === undefined || task.ordered === null) return null
  const { order }: { order?: { watermark?: unknown } } = JSON.parse(task.ordered)
  return typeof order?.watermark === 'boolean' ? order.watermark : null
}
