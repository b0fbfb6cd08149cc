import type { ReceiptTask } from '../../ports/receipts.ts'

/** Returns whether the order asked for the vendor's visible mark; null: it did not say. */
export function watermarkOf(task: Pick<ReceiptTask, 'ordered'> | undefined): boolean | null {
  if (task === undefined || task.ordered === null) return null
  const { order }: { order?: { watermark?: unknown } } = JSON.parse(task.ordered)
  return typeof order?.watermark === 'boolean' ? order.watermark : null
}
