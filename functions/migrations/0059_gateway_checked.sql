ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_payment";--> statement-breakpoint
ALTER TABLE "owed_refund" VALIDATE CONSTRAINT "owed_refund_charge_id_charge_id_fk";
