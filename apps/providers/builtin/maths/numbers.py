"""Whole numbers: prime factors, primality, common divisors, remainders; each checked by another method than it was found by."""

import math
from typing import Any

import sympy

from apps.providers.builtin.maths.build import build
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.printing import Written, write_value
from apps.providers.builtin.syntax import Node

_LONGEST = 60
_TRIAL_LIMIT = 10**12
# Deterministic below 3.3 * 10**24 (Sorenson and Webster 2015); beyond that a very strong probable prime.
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_CERTAIN_BELOW = 3_317_044_064_679_887_385_961_981


def prime_factors(formula: Node) -> Outcome:
    """Take a whole number apart into primes."""
    number = _whole(formula)
    if number < 2:
        raise CannotSolve("greater_than_one")
    factors = sympy.factorint(number)
    if math.prod(prime**power for prime, power in factors.items()) != number or not all(map(_is_prime, factors)):
        raise CannotSolve("check_failed")
    outcome = Outcome()
    outcome.step("divide_by_primes")
    text = " * ".join(f"{prime}^{power}" if power > 1 else str(prime) for prime, power in factors.items())
    formula_text = r" \cdot ".join(f"{prime}^{{{power}}}" if power > 1 else str(prime) for prime, power in factors.items())
    outcome.parts = [Written(f"{number} = {text}", f"{number} = {formula_text}")]
    outcome.check("multiplied_back", number=str(number))
    return outcome


def primality(formula: Node) -> Outcome:
    """Say whether a whole number is prime."""
    number = _whole(formula)
    is_prime = bool(sympy.isprime(number))
    if _is_prime(number) != is_prime:
        raise CannotSolve("check_failed")
    outcome = Outcome(words="prime" if is_prime else "not_prime", values={"number": str(number)})
    if not is_prime and number > 3:
        divisor = min(sympy.factorint(number))
        outcome.step("divisor", formula=rf"{number} = {divisor} \cdot {number // divisor}")
    outcome.check("trial_division" if number < _TRIAL_LIMIT else "strong_tests" if number < _CERTAIN_BELOW else "probable")
    return outcome


def _is_prime(number: int) -> bool:
    """Decide without SymPy: trial division for small numbers, strong tests for large ones."""
    if number < 2 or number % 2 == 0:
        return number == 2
    if number < _TRIAL_LIMIT:
        return all(number % divisor for divisor in range(3, math.isqrt(number) + 1, 2))
    return all(_passes(number, witness) for witness in _WITNESSES)


def _passes(number: int, witness: int) -> bool:
    """Apply Miller and Rabin's strong test."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    value = pow(witness, odd, number)
    return value in (1, number - 1) or any(pow(witness, odd << shift, number) == number - 1 for shift in range(1, twos))


def common(formulas: list[Node], task: str) -> Outcome:
    """Find the greatest common divisor or the least common multiple."""
    numbers = [_whole(formula) for formula in formulas]
    if any(number < 1 for number in numbers):
        raise CannotSolve("positive_numbers")
    found = int(sympy.igcd(*numbers) if task == "gcd" else sympy.ilcm(*numbers))
    expected = math.gcd(*numbers) if task == "gcd" else math.lcm(*numbers)
    divides = all(number % found == 0 for number in numbers) if task == "gcd" else all(found % number == 0 for number in numbers)
    if found != expected or not divides:
        raise CannotSolve("check_failed")
    outcome = Outcome(parts=[write_value(sympy.Integer(found))])
    for number in numbers:
        outcome.step("factored", formula=f"{number} = {_product(number)}")
    outcome.check("divides_all" if task == "gcd" else "multiple_of_all", number=str(found))
    return outcome


def _product(number: int) -> str:
    return (
        r" \cdot ".join(f"{prime}^{{{power}}}" if power > 1 else str(prime) for prime, power in sympy.factorint(number).items())
        or "1"
    )


def remainder(dividend: Node, divisor: Node) -> Outcome:
    """Find a remainder; of a power without computing the power."""
    modulus = _whole(divisor)
    if modulus < 1:
        raise CannotSolve("positive_numbers")
    outcome = Outcome()
    if dividend.head == "pow":
        base, exponent = map(_whole, dividend.args)
        if exponent < 0:
            raise CannotSolve("whole_numbers")
        found, expected = pow(base, exponent, modulus), _power_by_squares(base, exponent, modulus)
        outcome.step("squares", exponent=str(exponent))
    else:
        number = _whole(dividend)
        found, expected = number % modulus, number - number // modulus * modulus
        outcome.step("division", formula=rf"{number} = {number // modulus} \cdot {modulus} + {found}")
    if found != expected:
        raise CannotSolve("check_failed")
    outcome.parts = [write_value(sympy.Integer(found))]
    outcome.check("remainder_again", modulus=str(modulus))
    return outcome


def _power_by_squares(base: int, exponent: int, modulus: int) -> int:
    """Multiply from the leftmost binary digit of the exponent on."""
    value = 1 % modulus
    for digit in f"{exponent:b}":
        value = value * value % modulus
        if digit == "1":
            value = value * base % modulus
    return value


def _whole(formula: Node) -> int:
    value: Any = build(formula)
    if not value.is_Integer:
        raise CannotSolve("whole_numbers")
    if len(str(abs(int(value)))) > _LONGEST:
        raise CannotSolve("too_many_digits")
    return int(value)
