ALTER TABLE "account" RENAME COLUMN "name" TO "given_name";--> statement-breakpoint
ALTER TABLE "account" RENAME COLUMN "surname" TO "family_name";--> statement-breakpoint
ALTER TABLE "account" RENAME COLUMN "tel" TO "phone";--> statement-breakpoint
ALTER TABLE "account" DROP COLUMN "reward";--> statement-breakpoint
ALTER TABLE "account" RENAME COLUMN "is_password_change" TO "must_change_password";--> statement-breakpoint
ALTER TABLE "account" RENAME COLUMN "is_pin_change" TO "must_change_pin";--> statement-breakpoint
UPDATE "account" SET "must_change_password" = NOT "must_change_password", "must_change_pin" = NOT "must_change_pin";--> statement-breakpoint
ALTER TABLE "account" ALTER COLUMN "must_change_password" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "account" ALTER COLUMN "must_change_pin" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "pin" DROP COLUMN "is_one_time";--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "point_satang" TO "tail_satang";--> statement-breakpoint
ALTER TABLE "benefit" RENAME TO "discount";--> statement-breakpoint
ALTER TABLE "discount" RENAME CONSTRAINT "benefit_package_id_tier_id_pk" TO "discount_package_id_tier_id_pk";--> statement-breakpoint
ALTER TABLE "discount" RENAME CONSTRAINT "benefit_discount" TO "discount_bounds";--> statement-breakpoint
ALTER TABLE "discount" RENAME CONSTRAINT "benefit_package_id_package_id_fk" TO "discount_package_id_package_id_fk";--> statement-breakpoint
ALTER TABLE "discount" RENAME CONSTRAINT "benefit_tier_id_agent_tier_id_fk" TO "discount_tier_id_agent_tier_id_fk";--> statement-breakpoint
UPDATE "audit_entry" SET "action" = 'discount.save' WHERE "action" = 'benefit.save';
