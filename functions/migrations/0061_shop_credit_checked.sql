ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_payment";--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_credit";--> statement-breakpoint
ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_credit_id_credit_id_fk";--> statement-breakpoint
ALTER TABLE "owed_refund" VALIDATE CONSTRAINT "owed_refund_sent";--> statement-breakpoint
ALTER TABLE "owed_refund" VALIDATE CONSTRAINT "owed_refund_credit_id_credit_id_fk";--> statement-breakpoint
ALTER TABLE "owed_refund" VALIDATE CONSTRAINT "owed_refund_from_credit_id_credit_id_fk";
