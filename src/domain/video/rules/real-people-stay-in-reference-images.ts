import { ApiError } from '../../api-error.ts'
import { namesWhere } from '../families/families.ts'
import type { FamilyRow } from '../families/family.ts'
import type { ContentItem, VideoRequest } from '../request.ts'
import { accept, placeOf, type VideoRule } from './rule.ts'

/** `personIndex` is the position of an item that shows a verified person. */
export interface RequestWithPerson {
  request: VideoRequest
  family: FamilyRow
  personIndex: number
}

/** A verified person agreed only to reference images, for models that show real people. */
export const realPeopleStayInReferenceImages: VideoRule<RequestWithPerson> = (subject) => {
  const { request, family, personIndex } = subject
  if (!family.showsRealPeople) {
    const kind = request.items.find(({ index }) => index === personIndex)?.kind ?? 'image'
    return refuse(
      `content[${personIndex}].${kind}_url.url`,
      `Real-person assets work with ${namesWhere(({ showsRealPeople }) => showsRealPeople)} only.`,
    )
  }
  const misfit = request.items.find((item) => !isReferenceImage(item) && item.kind !== 'text')
  if (misfit === undefined) return accept
  return refuse(
    placeOf(misfit, misfit.kind === 'image' ? 'role' : 'type'),
    'Real-person assets work with text and image_url items (role reference_image) only.',
  )
}

/** An image without a role is sent without one; the contract counts it as a reference image. */
function isReferenceImage({ kind, role }: ContentItem): boolean {
  return kind === 'image' && (role === undefined || role === 'reference_image')
}

function refuse(param: string, message: string): ApiError {
  return new ApiError('asset_not_usable', { param, message })
}
