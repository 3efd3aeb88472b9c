from certify import Verdict, claim


@claim("example.square", statement=r"(n+1)^2 = n^2 + 2n + 1", domain=r"n \le 100", source="school", grade="enclosed", constants={"two": 2})
def square(two):
    for n in range(101):
        if (n + 1) ** 2 != n**2 + two * n + 1:
            return Verdict.refuted({"n": n}, f"fails at n = {n}")
    return Verdict.enclosed("all 101 cases, in integers")
